#include "harness/train/network/decoding_state.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
#include <fmt/core.h>

#include <stdexcept>

namespace ablate::train {
namespace {

/// Whether `rows` names each of `count` rows once, in order.
bool keeps_all(const std::vector<std::int64_t>& rows, std::size_t count) {
  if (rows.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (rows[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

}  // namespace

void DecodingState::select(const std::vector<std::int64_t>& rows) {
  if (keeps_all(rows, lengths.size())) return;
  std::vector<std::int64_t> kept;
  kept.reserve(rows.size());
  for (const std::int64_t row : rows) {
    if (row < 0 || row >= std::ssize(lengths))
      throw std::logic_error(
          fmt::format("decoding: row {} of a state of {} rows", row, lengths.size()));
    kept.push_back(lengths[static_cast<std::size_t>(row)]);
  }
  const at::Tensor index = at::tensor(rows, at::kLong);
  for (std::vector<at::Tensor>& mixer : mixers)
    for (at::Tensor& tensor : mixer) tensor = tensor.index_select(1, index.to(tensor.device()));
  lengths = std::move(kept);
}

void DecodingState::truncate(const std::vector<std::int64_t>& kept) {
  if (kept.size() != lengths.size())
    throw std::logic_error(
        fmt::format("decoding: {} lengths for a state of {} rows", kept.size(), lengths.size()));
  for (std::size_t row = 0; row < kept.size(); ++row) {
    const bool cuts = kept[row] != 0 && kept[row] != lengths[row];
    if (kept[row] < 0 || kept[row] > lengths[row] || (cuts && !truncates))
      throw std::logic_error(fmt::format("decoding: row {} of {} positions cannot be cut at {}",
                                         row, lengths[row], kept[row]));
  }
  lengths = kept;
}

}  // namespace ablate::train
