#include "models/operations/fused/documents.h"

#include "models/operations/kernel_memory.h"

namespace ablate::models::fused {

bool follow_each_other(const at::Tensor& from) {
  const std::int64_t time = from.size(2), rows = from.numel() / std::max<std::int64_t>(1, time);
  const std::int64_t* own = data<std::int64_t>(from);
  for (std::int64_t row = 0; row < rows; ++row, own += time)
    for (std::int64_t t = 0; t < time; ++t)
      if (own[t] != t && (t == 0 ? own[t] > 0 : own[t] != own[t - 1])) return false;
  return true;
}

}  // namespace ablate::models::fused
