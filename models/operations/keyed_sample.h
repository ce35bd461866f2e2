// Keyed samples of categorical distributions: what is drawn depends on its lane's seed, the step and
// its place among the step's rows, never on the number of the lane, on other lanes, or on how the rows
// of a step are divided.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace ablate::models {

/// Where samples are drawn, and what determines them.
struct SampledPlaces {
  at::Tensor keys;       // int64 [2 + lane]: step, first row and seeds; see train::Inputs::keys
  std::int64_t first;    // number of the first of the lanes below among those of `keys`
  at::Tensor positions;  // int64 [lanes, chosen]: row * time + t, rows counted from the first one
  std::int64_t time;     // positions in a row
};

/// Standard Gumbel noise for each class at each place, float64 [lanes, chosen, classes]. The number of
/// class k at a place is -log(-log(u)), u of 52 bits from Rng(seed, Stream::samples, step,
/// place).peek(k), the same on every device up to the rounding of the logarithms. It queues plain
/// operations of fixed shapes, which a device can record. `places`: rows from the step's first one on.
at::Tensor gumbel_noise(const SampledPlaces& places, std::int64_t classes);

/// A sample of softmax(logits) for each place, int64 [lanes, chosen], without gradient: the class of
/// the largest sum of logit and Gumbel noise, in float64, because float32 would cut off the tail of the
/// noise. `logits`: [lanes, chosen, classes]. Source: Gumbel 1954; Maddison et al. 2014,
/// arXiv:1411.0030, section 2.
at::Tensor keyed_sample(const at::Tensor& logits, const SampledPlaces& places);

}  // namespace ablate::models
