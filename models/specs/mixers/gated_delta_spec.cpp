// Gated DeltaNet, for planning.

#include <algorithm>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kTaps = 4;  // of the convolution

// Projections of reads, keys, values, gates, rates and decays; convolution with its bias; decay and step
// of each head; norm; output.
std::int64_t parameters(const Shape& shape, bool) {
  const std::int64_t width = shape.width;
  return width * (4 * width + 2 * shape.heads) + 3 * width * (kTaps + 1) + 2 * shape.heads +
         shape.head_width + width * width;
}

// The recurrence's own cost in one direction at every length: reading what a key holds, writing what
// replaces it, and reading the state. Chunks multiply more.
double multiply_adds(const Shape& shape, std::int64_t, bool) {
  const std::int64_t width = shape.width;
  return static_cast<double>(width * (4 * width + 2 * shape.heads) + 3 * width * kTaps +
                             width * width + 3 * width * shape.head_width);
}

// What is projected and what is projected from; in float32 the channels before and after convolution,
// activation and lengths, the written values, the output before and after norm and gate, and the decays,
// scores and products of keys of a chunk.
double bytes(const Shape& shape, double unit) {
  constexpr std::int64_t kChunk = 64;
  return unit * static_cast<double>(6 * shape.width) +
         kFloat32Bytes * static_cast<double>(17 * shape.width +
                                             4 * shape.heads * std::min(kChunk, shape.context));
}

// The state of each head, and the positions that the next convolution reads.
std::int64_t state(const Shape& shape, std::int64_t) {
  return shape.width * shape.head_width + (kTaps - 1) * 3 * shape.width;
}

}  // namespace

MixerSpec gated_delta_mixer_spec() {
  return {.name = "gated_delta",
          .summary =
              "a state of constant size in which a key's value replaces what the key held, with a "
              "decay that each position sets (Gated DeltaNet); linear in the length. Both "
              "directions share their weights, and their results are added; cannot host inputs "
              "that see each other before a continuation in the same stack",
          .source = "Yang et al. 2024, \"Gated Delta Networks\", arXiv:2412.06464, section 3.3",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .truncates = false,
          .prefix = false,
          .two_intervals = false};
}

}  // namespace ablate::models
