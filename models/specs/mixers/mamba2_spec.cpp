// Mamba-2, for planning.

#include "models/specs/mixers/mamba2_sizes.h"

namespace ablate::models {
namespace {

// Projections, convolution with its bias, decay, skip and step size of each head, and the norm.
std::int64_t parameters(const Shape& shape, bool) {
  const Mamba2Sizes sizes(shape);
  return sizes.width * (sizes.projected() + sizes.inner) +
         sizes.channels() * (Mamba2Sizes::kTaps + 1) + 3 * sizes.heads() + sizes.inner;
}

// The recurrence's own cost in one direction at every length: adding a position to the state, and
// reading it. Chunks multiply more.
double multiply_adds(const Shape& shape, std::int64_t, bool) {
  const Mamba2Sizes sizes(shape);
  return static_cast<double>(sizes.width * (sizes.projected() + sizes.inner) +
                             sizes.channels() * Mamba2Sizes::kTaps + 2 * sizes.inner * sizes.state);
}

// What is projected and what is projected from; in float32 the channels before and after the convolution
// and its activation, the scaled units, the output before and after gate and norm, and the decays and
// scores of a chunk.
double bytes(const Shape& shape, double unit) {
  const Mamba2Sizes sizes(shape);
  constexpr std::int64_t kChunk = 64;
  return unit * static_cast<double>(sizes.projected() + sizes.inner) +
         kFloat32Bytes * static_cast<double>(3 * sizes.channels() + 5 * sizes.inner +
                                             3 * sizes.heads() * std::min(kChunk, shape.context));
}

// The state of each unit, and the positions that the next convolution reads.
std::int64_t state(const Shape& shape, std::int64_t) {
  const Mamba2Sizes sizes(shape);
  return sizes.inner * sizes.state + (Mamba2Sizes::kTaps - 1) * sizes.channels();
}

}  // namespace

MixerSpec mamba2_mixer_spec() {
  return {.name = "mamba2",
          .summary =
              "a state of constant size whose decay each position sets, behind a short "
              "convolution; linear in the length. Both directions share their weights, and their "
              "results are added; cannot host inputs that see each other before a continuation in "
              "the same stack",
          .source = "Dao and Gu 2024, \"Transformers are SSMs\", arXiv:2405.21060, section 7",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .truncates = false,
          .prefix = false,
          .two_intervals = false,
          .sized = true};
}

}  // namespace ablate::models
