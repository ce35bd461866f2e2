// The sizes of a network.

#include "models/specs/layers/shape.h"

namespace ablate::models {

std::int64_t writing_layers(const Shape& shape, std::int64_t blocks) {
  std::int64_t count = blocks;
  for (std::int64_t block = 0; block < blocks; ++block)
    if (shape.feed_forward(block) != nullptr) ++count;
  return count;
}

}  // namespace ablate::models
