// Keyed samples by the generator of harness/base/rng.h, written with operations on tensors.

#include "models/operations/keyed_sample.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "harness/base/rng.h"

namespace ablate::models {
namespace {

constexpr std::int64_t signed_bits(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

constexpr std::int64_t kIncrement = signed_bits(0x9E3779B97F4A7C15u);
constexpr int kUniformBits = 52;  // so that u + 1/2 is exact and u is neither 0 nor 1

/// `z` shifted right by `bits`, filled with zeros: int64 has no unsigned shift.
at::Tensor shifted(const at::Tensor& z, int bits) {
  return at::bitwise_right_shift(z, bits).bitwise_and_((std::int64_t{1} << (64 - bits)) - 1);
}

/// Rng's mixing function, in place.
at::Tensor mixed(at::Tensor z) {
  z.bitwise_xor_(shifted(z, 30)).mul_(signed_bits(0xBF58476D1CE4E5B9u));
  z.bitwise_xor_(shifted(z, 27)).mul_(signed_bits(0x94D049BB133111EBu));
  return z.bitwise_xor_(shifted(z, 31));
}

/// The states of Rng::fork(index), by state and index; they broadcast.
at::Tensor forked(const at::Tensor& states, const at::Tensor& indices) {
  return mixed(states + mixed(indices + kIncrement));
}

/// The states of Rng(seed, Stream::samples, step, place): int64 [lanes, chosen].
at::Tensor states_of(const SampledPlaces& places) {
  const at::Tensor& positions = places.positions;
  const at::Tensor step = places.keys.select(0, 0);
  const at::Tensor first_row = places.keys.select(0, 1);
  const at::Tensor seeds = places.keys.narrow(0, 2 + places.first, positions.size(0));
  const at::Tensor stream =
      at::full({}, static_cast<std::int64_t>(Stream::samples), positions.options());
  const at::Tensor of_step = forked(forked(mixed(seeds.clone()), stream), step);
  return forked(of_step.unsqueeze(1), positions + first_row * places.time);
}

}  // namespace

at::Tensor gumbel_noise(const SampledPlaces& places, std::int64_t classes) {
  const at::Tensor draws = at::arange(1, classes + 1, places.positions.options()).mul_(kIncrement);
  const at::Tensor bits =
      shifted(mixed(states_of(places).unsqueeze(-1) + draws), 64 - kUniformBits);
  at::Tensor noise = bits.to(at::kDouble).add_(0.5).mul_(std::ldexp(1.0, -kUniformBits));
  return noise.log_().neg_().log_().neg_();
}

at::Tensor keyed_sample(const at::Tensor& logits, const SampledPlaces& places) {
  const c10::NoGradGuard no_gradient;
  return gumbel_noise(places, logits.size(-1)).add_(logits).argmax(-1);
}

}  // namespace ablate::models
