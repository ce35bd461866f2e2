// The recurrence of a state-space layer, and the short convolution before it.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

struct ScanShape {
  std::int64_t time, heads, head_width;
  std::int64_t state;  // numbers that are kept for each unit
};

/// What the recurrence reads of one row.
struct ScanRow {
  const float* units;         // [time, heads, head_width]
  const float* steps;         // [time, heads]
  const float *rates, *skip;  // [heads]
  const float* writes;        // [time, state]
  const float* reads;         // [time, state]
  const std::int64_t* from;   // [time]: the state is reset where from[t] == t
};

/// outputs [time, heads, head_width] of state_space_scan() without a state before.
void scan(ScanShape shape, ScanRow row, float* outputs);

struct ScanGradients {
  const float* outputs;                  // in, [time, heads, head_width]
  float *units, *steps;                  // out, of the inputs' sizes
  float *rates, *skip, *writes, *reads;  // accumulated, of the inputs' sizes
};

/// The backward pass of scan. States are computed anew, from one of every 64 positions.
void scan_backward(ScanShape shape, ScanRow row, ScanGradients gradients);

struct ConvolutionShape {
  std::int64_t time, channels, taps;
};

/// What a short convolution reads of one row.
struct ConvolutionRow {
  const float* channels;     // [time, channels]
  const float* taps;         // [taps, channels]: tap k reads k positions back
  const float* bias;         // [channels]
  const std::int64_t* from;  // [time]: nothing before it is read
};

/// silu(bias + sum of taps), [time, channels].
void convolve(ConvolutionShape shape, ConvolutionRow row, float* outputs);

struct ConvolutionGradients {
  const float* outputs;  // in, [time, channels]
  float* channels;       // accumulated, [time, channels]
  float *taps, *bias;    // accumulated, of the inputs' sizes
};

/// The backward pass of convolve.
void convolve_backward(ConvolutionShape shape, ConvolutionRow row, ConvolutionGradients gradients);

}  // namespace ablate::models::kernels
