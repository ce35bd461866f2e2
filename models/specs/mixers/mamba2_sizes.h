// The sizes of a Mamba-2 mixer. Used by planning and by the builder.

#pragma once

#include <algorithm>

#include "models/specs/layers/shape.h"

namespace ablate::models {

/// Sizes of a Mamba-2 mixer in a network of some shape.
struct Mamba2Sizes {
  static constexpr std::int64_t kTaps = 4;  // positions that the convolution reads

  std::int64_t width = 0;       // of the stream
  std::int64_t inner = 0;       // units that are kept in the state: twice the width
  std::int64_t head_width = 0;  // units that decay together
  std::int64_t state = 0;       // numbers that are kept for each unit

  explicit Mamba2Sizes(const Shape& shape)
      : width(shape.width),
        inner(2 * shape.width),
        head_width(std::min<std::int64_t>(32, inner)),
        state(shape.state_size) {
    while (inner % head_width != 0) --head_width;
  }

  std::int64_t heads() const { return inner / head_width; }

  /// What is convolved: the units, what they are written by and what they are read by.
  std::int64_t channels() const { return inner + 2 * state; }

  /// What is made of a position: gates, channels, and the step size of each head.
  std::int64_t projected() const { return inner + channels() + heads(); }
};

}  // namespace ablate::models
