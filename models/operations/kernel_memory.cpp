// Passes tensors to the kernels.

#include "models/operations/kernel_memory.h"

#include <fmt/core.h>

#include <stdexcept>

namespace ablate::models {

void require_below(const at::Tensor& indices, std::int64_t bound, const char* what) {
  const auto* index = indices.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < indices.numel(); ++i)
    if (index[i] < 0 || index[i] >= bound)
      throw std::logic_error(
          fmt::format("kernels: {} {} is outside [0, {})", what, index[i], bound));
}

}  // namespace ablate::models
