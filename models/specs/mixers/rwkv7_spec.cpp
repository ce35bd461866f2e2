// RWKV-7's time mixing, for planning.

#include "models/specs/mixers/rwkv7_sizes.h"

namespace ablate::models {
namespace {

// Receptance, keys, values and output; pairs of matrices; shifts; decay, rate, scales of keys, bonus, norm
// with its bias, and how much of the first layer's values a later one mixes in.
std::int64_t parameters(const Shape& shape, bool first) {
  const std::int64_t width = shape.width;
  return 4 * width * width + 2 * width * Rwkv7Ranks(width).sum(first) +
         static_cast<std::int64_t>(Rwkv7Tables::kStreams) * width + (first ? 7 : 8) * width;
}

// The recurrence's own cost at every length: reading what a key holds, taking it out, writing, reading. What
// a stream reads of the position before goes into its matrix here, whose product then takes twice as much,
// and chunks multiply more; neither is counted.
double multiply_adds(const Shape& shape, std::int64_t, bool first) {
  const std::int64_t width = shape.width;
  return static_cast<double>(4 * width * width + 2 * width * Rwkv7Ranks(width).sum(first) +
                             static_cast<std::int64_t>(Rwkv7Tables::kStreams) * width +
                             4 * width * shape.head_width);
}

// The inputs of the projections, their outputs, and the input of the output matrix; in
// float32 what is made of each pair, what the recurrence reads, as it is and decayed, the products of a
// chunk's keys, and the output before and after norm and gate.
double bytes(const Shape& shape, double unit) {
  constexpr std::int64_t kChunk = 32;
  const std::int64_t width = shape.width;
  return unit * static_cast<double>(9 * width + 2 * Rwkv7Ranks(width).sum(false)) +
         kFloat32Bytes *
             static_cast<double>(34 * width + 6 * shape.heads * std::min(kChunk, shape.context));
}

// The state of each head, and the position before.
std::int64_t state(const Shape& shape, std::int64_t) {
  return shape.width * shape.head_width + shape.width;
}

}  // namespace

MixerSpec rwkv7_mixer_spec() {
  return {.name = "rwkv7",
          .summary =
              "a state of constant size in which each position sets the decay of each unit and "
              "partly replaces what a key holds (RWKV-7's time mixing); linear in the length. Both "
              "directions share their weights, and their results are added; cannot host inputs "
              "that see each other before a continuation in the same stack",
          .source = "Peng et al. 2025, \"RWKV-7 Goose\", arXiv:2503.14456, section 4",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .truncates = false,
          .prefix = false,
          .two_intervals = false,
          .min_head_width = 2};
}

}  // namespace ablate::models
