// Attention, for planning.

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

// Of the keys and values of a position, each.
std::int64_t kept_width(const Shape& shape) { return shape.width / shape.group; }

std::int64_t matrices(const Shape& shape) {
  return 2 * shape.width * (shape.width + kept_width(shape));
}

std::int64_t parameters(const Shape& shape, bool) {
  return matrices(shape) + (shape.query_key_norm ? 2 * shape.head_width : 0);
}

// Scores and sums count the full row whatever is visible, as is customary (Kaplan et al. 2020,
// arXiv:2001.08361).
double multiply_adds(const Shape& shape, std::int64_t time, bool) {
  return static_cast<double>(matrices(shape) + 2 * time * shape.width);
}

// Queries, keys and values, which groups of heads share before they are laid beside all of them, the two
// of them that were rotated, and the output.
double bytes(const Shape& shape, double unit) {
  return ((3 + 1 + (shape.rotary() ? 2 : 0) + (shape.group > 1 ? 3 : 0)) * unit +
          (shape.query_key_norm ? 2 * (kFloat32Bytes + unit) : 0)) *
         static_cast<double>(shape.width);
}

// Where scores fall with the distance, the positions of the keys, too.
std::int64_t state(const Shape& shape, std::int64_t time) {
  return time * (2 * kept_width(shape) + (shape.positions == Positions::alibi ? 1 : 0));
}

}  // namespace

MixerSpec attention_mixer_spec() {
  return {.name = "attention",
          .summary = "multi-head softmax attention; keeps the keys and values of all positions",
          .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .queries = true,
          .rotates = true,
          .by_distance = true,
          .grouped = true};
}

}  // namespace ablate::models
