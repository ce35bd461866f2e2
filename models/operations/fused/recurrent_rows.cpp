#include "models/operations/fused/recurrent_rows.h"

namespace ablate::models::fused {

namespace {

/// Whether each position begins a document or belongs to that of the one before it.
bool follow_each_other(const at::Tensor& from) {
  const std::int64_t time = from.size(2), rows = from.numel() / std::max<std::int64_t>(1, time);
  const std::int64_t* own = data<std::int64_t>(from);
  for (std::int64_t row = 0; row < rows; ++row, own += time)
    for (std::int64_t t = 0; t < time; ++t)
      if (own[t] != t && (t == 0 ? own[t] > 0 : own[t] != own[t - 1])) return false;
  return true;
}

}  // namespace

bool kernels_read(at::ScalarType type, const at::Tensor& from) {
  return type == at::kFloat && follow_each_other(from);
}

}  // namespace ablate::models::fused
