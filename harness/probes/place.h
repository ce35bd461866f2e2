// A position of a text. Without LibTorch.

#pragma once

#include <cstddef>

namespace ablate::probes {

/// A position of a document in a list.
struct Place {
  std::size_t document = 0;
  std::size_t position = 0;
};

}  // namespace ablate::probes
