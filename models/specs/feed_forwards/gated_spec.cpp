// The gated feed-forward layer, for planning.

#include <algorithm>
#include <cmath>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

// It has three matrices instead of two, so it gets two thirds of the units, rounded to a multiple of 4:
// within 1 % of the parameters of the dense layer from width 64 on.
std::int64_t hidden(const Shape& shape) {
  const double units = shape.hidden_multiple * static_cast<double>(shape.width);
  return std::max<std::int64_t>(4, 4 * std::llround(units * 2 / 3 / 4));
}

std::int64_t parameters(const Shape& shape) { return 3 * shape.width * hidden(shape); }

double multiply_adds(const Shape& shape) { return static_cast<double>(parameters(shape)); }

// The products of gate and values, the gate's activation, and what the last matrix reads.
double bytes(const Shape& shape, double unit) {
  return 4 * unit * static_cast<double>(hidden(shape));
}

}  // namespace

FeedForwardSpec gated_feed_forward_spec() {
  return {.name = "gated",
          .summary =
              "SwiGLU: the units of one matrix, through SiLU, scale those of another; a third "
              "reads them",
          .source = "Shazeer 2020, arXiv:2002.05202, section 2",
          .hidden = hidden,
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes};
}

}  // namespace ablate::models
