// Linear attention, for planning.

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

std::int64_t parameters(const Shape& shape, bool) { return 4 * shape.width * shape.width; }

// The recurrence's own cost at every length: adding a position to the state, and reading it. Chunks
// multiply more, and so do packed rows on a device, which computes their scores.
double multiply_adds(const Shape& shape, std::int64_t, bool first) {
  return static_cast<double>(parameters(shape, first) + 2 * shape.head_width * shape.width);
}

// Queries, keys and values, and the output; in float32 the feature maps, the two that were rotated, the
// values, the sums of keys, the quotients' two sides, and the scores of a row.
double bytes(const Shape& shape, double unit) {
  constexpr double kFloats = 6;
  return ((3 + 1) * unit + (kFloats + (shape.rotary() ? 2 : 0)) * kFloat32Bytes) *
             static_cast<double>(shape.width) +
         kFloat32Bytes * static_cast<double>(shape.heads * shape.context);
}

// The sums of products of keys and values, and of keys, by head.
std::int64_t state(const Shape& shape, std::int64_t) {
  return shape.width * (shape.head_width + 1);
}

}  // namespace

MixerSpec linear_attention_mixer_spec() {
  return {.name = "linear_attention",
          .summary =
              "attention by a feature map (elu + 1) instead of softmax: linear in the length, with "
              "a state of constant size; cannot host inputs that see each other before a "
              "continuation in the same stack",
          .source =
              "Katharopoulos et al. 2020, arXiv:2006.16236, section 3; rotary positions: Su et "
              "al. 2021, arXiv:2104.09864, section 3.3",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .truncates = false,
          .prefix = false,
          .two_intervals = false,
          .rotates = true};
}

}  // namespace ablate::models
