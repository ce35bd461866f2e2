// The generalised delta rule.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct DeltaShape {
  std::int64_t time, heads;
  std::int64_t keys, values;  // widths
  std::int64_t decays;        // of a head: 1, or one for each unit of a key
};

/// What the recurrence reads of one row; see GeneralisedDeltaRows.
struct DeltaRow {
  const float *reads, *keys, *removes, *writes;  // [time, heads, keys]
  const float* values;                           // [time, heads, values]
  const float* decays;                           // [time, heads, decays]: logarithms
  const std::int64_t* from;                      // [time]: the state is reset where from[t] == t
};

/// What is made of a row, [time, heads, values].
struct DeltaOutputs {
  float* outputs;
  float* held;  // what the keys held, which the backward pass reads
};

/// generalised_delta_scan() without a state before.
void delta(DeltaShape shape, DeltaRow row, DeltaOutputs made);

struct DeltaGradients {
  const float *outputs, *held;             // in; `held` as delta() has left it
  float *reads, *keys, *removes, *writes;  // out, of the inputs' sizes
  float *values, *decays;                  // the same
};

/// The backward pass of delta. States are computed anew, from one of every 16 positions.
void delta_backward(DeltaShape shape, DeltaRow row, DeltaGradients gradients);

}  // namespace ablate::models::kernels
