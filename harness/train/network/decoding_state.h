// What a network keeps of rows that it reads step by step.

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ablate::train {

/// What a network keeps of the rows that it has read, so that it reads what follows them without reading
/// them again: of attention the keys and values, of a recurrent mixer its state, of an encoder what each
/// block of the decoder reads of it.
struct DecodingState {
  std::vector<std::int64_t> lengths;  // positions read, by row

  /// Of each mixer and each cross-attention, in the order of the layers: tensors [lane, row, ...]; none
  /// before the first step.
  std::vector<std::vector<at::Tensor>> mixers;

  /// Whether a row can be cut at any length. Otherwise, where a mixer keeps sums over all that it has
  /// read, a row is kept as a whole or begun anew.
  bool truncates = true;

  /// Keeps the rows with these numbers, in this order; a row may be kept several times. Throws
  /// std::logic_error for a row that there is not.
  void select(const std::vector<std::int64_t>& rows);

  /// Forgets what follows the first `kept[row]` positions of each row. Throws std::logic_error where a
  /// row is shorter, or cannot be cut there.
  void truncate(const std::vector<std::int64_t>& kept);
};

}  // namespace ablate::train
