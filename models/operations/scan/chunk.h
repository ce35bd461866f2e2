// A part of rows that a recurrence reads at once.

#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "models/operations/scan/kept_where.h"

namespace ablate::models {

inline constexpr std::int64_t kScanChunk = 64;  // positions that are read at once

/// The outputs of a recurrence over rows whose documents begin at `from` [lane, batch, time], read in chunks
/// of `positions`: [lane, batch, time, ...]. `state`: that before the first position, undefined where there
/// is none; is left as that after the last one. `read(state, start, size)` reads a chunk after a state; what
/// it returns has its outputs(), and the state_after() it of a document that begins at [lane, batch, 1].
template <class Read>
at::Tensor read_in_chunks(const at::Tensor& from, std::int64_t positions, at::Tensor& state,
                          const Read& read) {
  const std::int64_t time = from.size(2);
  std::vector<at::Tensor> outputs;
  for (std::int64_t start = 0; start < time; start += positions) {
    const std::int64_t size = std::min(positions, time - start);
    const auto chunk = read(state, start, size);
    outputs.push_back(chunk.outputs());
    state = chunk.state_after(from.narrow(2, std::min(start + size, time - 1), 1));
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
}

/// The positions [start, start + size) of rows whose documents begin at `from` and whose states decay:
/// both [lane, batch, time], `decays` (logarithms, at most 0) by head as well. No sum contains anything
/// of another document.
class ScanChunk {
 public:
  ScanChunk(const at::Tensor& from, const at::Tensor& decays, std::int64_t start, std::int64_t size)
      : start_(start), size_(size) {
    from_ = part(from);
    j_ = at::arange(start, start + size, from_.options());
    seen_ = at::logical_and(j_ >= from_.unsqueeze(-1), j_ <= j_.unsqueeze(-1));
    // By a product, so that nothing of another document is in a sum; nor has a device a deterministic
    // cumsum.
    sums_ = at::matmul(seen_.to(decays.scalar_type()), part(decays)).transpose(2, 3);
  }

  /// The chunk's part of rows [lane, batch, time, ...].
  at::Tensor part(const at::Tensor& of_rows) const { return of_rows.narrow(2, start_, size_); }

  /// What is left at i of what was written at j, 0 where i does not see j: [lane, batch, heads, size,
  /// size].
  at::Tensor decayed_between() const {
    return (sums_.unsqueeze(-1) - sums_.unsqueeze(-2))
        .masked_fill(seen_.logical_not().unsqueeze(2), -std::numeric_limits<double>::infinity())
        .exp();
  }

  /// `x` [lane, batch, heads, size, ...], made of the state before the chunk, as it is left at each
  /// position: 0 where the position's document begins in the chunk.
  at::Tensor decayed_before(const at::Tensor& x) const {
    return kept_where(x * sums_.unsqueeze(-1).exp(), (from_ < start_).unsqueeze(2).unsqueeze(-1));
  }

  /// What is left at the chunk's end of what was written at each position, in the state of a document
  /// that begins at `document` [lane, batch, 1]: [lane, batch, heads, size].
  at::Tensor decayed_to_end(const at::Tensor& document) const {
    return kept_where((last() - sums_).exp(), (j_ >= document).unsqueeze(2));
  }

  /// What is left at the chunk's end of the state before it, in that of such a document.
  at::Tensor state_at_end(const at::Tensor& state, const at::Tensor& document) const {
    return kept_where(state * last().unsqueeze(-1).exp(),
                      (document < start_).unsqueeze(-1).unsqueeze(-1));
  }

 private:
  at::Tensor last() const { return sums_.narrow(3, size_ - 1, 1); }

  std::int64_t start_, size_;
  at::Tensor from_, j_;  // [lane, batch, size], [size]
  at::Tensor seen_;      // by i: whether j is seen, [lane, batch, size, size]
  at::Tensor sums_;      // of decays of what is seen, [lane, batch, heads, size]
};

}  // namespace ablate::models
