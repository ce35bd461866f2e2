// The sizes of a network.

#include "models/specs/layers/shape.h"

#include <cmath>
#include <numeric>

namespace ablate::models {
namespace {

constexpr double kWhole = 0.05;  // attention heads that a fraction such as .333 may be off

}  // namespace

NarrowNetwork narrow_network(const Params& params) {
  return {.width = params.number("width"), .tied = params.text("embeddings") == "tied"};
}

double narrowed_heads(std::int64_t heads, double fraction) {
  const double exact = fraction * static_cast<double>(heads);
  const double whole = std::round(exact);
  return whole >= 1 && std::abs(exact - whole) <= kWhole ? whole : exact;
}

Shape narrowed(Shape shape, const NarrowNetwork& own) {
  shape.heads = static_cast<std::int64_t>(narrowed_heads(shape.heads, own.width));
  shape.width = shape.heads * shape.head_width;
  shape.group = std::gcd(shape.group, shape.heads);
  shape.trunk = shape.depth;
  shape.first = 0;
  shape.table = true;
  shape.tied = own.tied;
  return shape;
}

std::int64_t writing_layers(const Shape& shape, std::int64_t blocks) {
  std::int64_t count = blocks;
  for (std::int64_t block = 0; block < blocks; ++block)
    if (shape.feed_forward(block) != nullptr) ++count;
  return count;
}

}  // namespace ablate::models
