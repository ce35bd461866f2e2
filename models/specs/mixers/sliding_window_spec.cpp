// Attention within a window, for planning.

#include <algorithm>

#include "models/specs/layers/shape.h"

namespace ablate::models {
namespace {

std::int64_t matrices(const Shape& shape) { return 4 * shape.width * shape.width; }

std::int64_t parameters(const Shape& shape, bool) {
  return matrices(shape) + (shape.query_key_norm ? 2 * shape.head_width : 0);
}

// As attention counts them, of the window alone. In two directions there are two.
double multiply_adds(const Shape& shape, std::int64_t time, bool) {
  return static_cast<double>(matrices(shape) + 2 * std::min(time, shape.window) * shape.width);
}

// As of attention.
double bytes(const Shape& shape, double unit) {
  return ((3 + 1 + (shape.rotary() ? 2 : 0)) * unit +
          (shape.query_key_norm ? 2 * (kFloat32Bytes + unit) : 0)) *
         static_cast<double>(shape.width);
}

// The keys and values that the next position sees.
std::int64_t state(const Shape& shape, std::int64_t) {
  return 2 * (shape.window - 1) * shape.width;
}

}  // namespace

MixerSpec sliding_window_mixer_spec() {
  return {.name = "sliding_window",
          .summary =
              "attention to the nearest `window` positions: linear in the length, with a state of "
              "constant size; in both directions, as many on either side",
          .source =
              "Beltagy et al. 2020, \"Longformer\", arXiv:2004.05150, section 3.1; between other "
              "mixers: De et al. 2024, \"Griffin\", arXiv:2402.19427, section 2.3",
          .parameters = parameters,
          .multiply_adds = multiply_adds,
          .bytes = bytes,
          .state = state,
          .truncates = false,
          .two_intervals = false,
          .windowed = true,
          .queries = true,
          .rotates = true};
}

}  // namespace ablate::models
