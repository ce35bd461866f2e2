// The feed-forward layer of two matrices, for planning.

#include <algorithm>
#include <cmath>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

std::int64_t hidden(const Shape& shape) {
  return std::max<std::int64_t>(
      1, std::llround(shape.hidden_multiple * static_cast<double>(shape.width)));
}

std::int64_t parameters(const Shape& shape) { return 2 * shape.width * hidden(shape); }

double multiply_adds(const Shape& shape) { return static_cast<double>(parameters(shape)); }

// The products, and their activation.
double bytes(const Shape& shape, double unit) {
  return 2 * unit * static_cast<double>(hidden(shape));
}

}  // namespace

FeedForwardSpec dense_feed_forward_spec() {
  return {.name = "dense",
          .summary = "two matrices with GELU in between",
          .source =
              "Vaswani et al. 2017, arXiv:1706.03762, section 3.3; GELU: Hendrycks & Gimpel "
              "2016, arXiv:1606.08415",
          .hidden = hidden,
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes};
}

}  // namespace ablate::models
