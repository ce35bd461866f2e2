#include "models/operations/scan/generalised_delta.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/scan/chunk.h"
#include "models/operations/scan/kept_where.h"
#include "models/operations/scan/unit_triangular.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kPositions = 32;  // of a chunk

/// The recurrence within a chunk. With c_i the sum of decays up to i, what was written at j is left at i
/// times exp(c_i - c_j): what reads is multiplied by exp(c_i), what is written by exp(-c_j). What keys
/// hold before each position solves a triangular system.
class GeneralisedDeltaChunk {
 public:
  GeneralisedDeltaChunk(const GeneralisedDeltaRows& rows, const at::Tensor& state,
                        std::int64_t start, std::int64_t size)
      : start_(start), size_(size), state_(state) {
    from_ = part(rows.from);
    j_ = at::arange(start, start + size, from_.options());
    const at::Tensor own = (j_ >= from_.unsqueeze(-1)).unsqueeze(2);
    seen_ = at::logical_and(own, j_ <= j_.unsqueeze(-1));
    const at::Tensor before = at::logical_and(own, j_ < j_.unsqueeze(-1));
    const at::Tensor decays = by_head(rows.decays);
    sums_ = at::matmul(seen_.to(decays.scalar_type()), decays);
    writes_ = by_head(rows.writes);
    removes_ = by_head(rows.removes);
    values_ = by_head(rows.values);
    const at::Tensor grown = sums_.neg().exp();
    reads_ = by_head(rows.reads) * sums_.exp();
    const at::Tensor keys = by_head(rows.keys) * (sums_ - decays).exp();
    written_ = (writes_ * grown).transpose(-1, -2);
    removed_ = (removes_ * grown).transpose(-1, -2);
    at::Tensor held = at::matmul(kept_where(at::matmul(keys, written_), before), values_);
    if (state.defined()) held = held + of_state(keys);
    held_ = unit_triangular_solved(kept_where(at::matmul(keys, removed_), before), held);
  }

  /// [lane, batch, size, heads, value width].
  at::Tensor outputs() const {
    at::Tensor outputs = at::matmul(kept_where(at::matmul(reads_, written_), seen_), values_) -
                         at::matmul(kept_where(at::matmul(reads_, removed_), seen_), held_);
    if (state_.defined()) outputs = outputs + of_state(reads_);
    return outputs.transpose(2, 3);
  }

  /// The state after the chunk of a document that begins at `from` [lane, batch, 1].
  at::Tensor state_after(const at::Tensor& from) const {
    const at::Tensor last = sums_.narrow(3, size_ - 1, 1);  // [lane, batch, heads, 1, key width]
    const at::Tensor left =
        kept_where((last - sums_).exp(), (j_ >= from).unsqueeze(2).unsqueeze(-1));
    const at::Tensor after = at::matmul((writes_ * left).transpose(-1, -2), values_) -
                             at::matmul((removes_ * left).transpose(-1, -2), held_);
    if (!state_.defined()) return after;
    return after + kept_where(state_ * last.transpose(-1, -2).exp(),
                              (from < start_).unsqueeze(-1).unsqueeze(-1));
  }

 private:
  at::Tensor part(const at::Tensor& of_rows) const { return of_rows.narrow(2, start_, size_); }

  /// [lane, batch, heads, size, width].
  at::Tensor by_head(const at::Tensor& of_rows) const { return part(of_rows).transpose(2, 3); }

  /// What is read of the state before the chunk; 0 where the position's document begins in the chunk.
  at::Tensor of_state(const at::Tensor& readers) const {
    return kept_where(at::matmul(readers, state_), (from_ < start_).unsqueeze(2).unsqueeze(-1));
  }

  std::int64_t start_, size_;
  at::Tensor state_;
  at::Tensor from_, j_;           // [lane, batch, size], [size]
  at::Tensor seen_;               // [lane, batch, 1, size, size]
  at::Tensor sums_;               // [lane, batch, heads, size, key width]
  at::Tensor reads_;              // the same, decayed
  at::Tensor writes_, removes_;   // the same
  at::Tensor written_, removed_;  // the same, grown and transposed
  at::Tensor values_, held_;      // [lane, batch, heads, size, value width]
};

}  // namespace

at::Tensor generalised_delta_scan(const GeneralisedDeltaRows& rows, at::Tensor& state) {
  return read_in_chunks(rows.from, kPositions, state,
                        [&](const at::Tensor& before, std::int64_t start, std::int64_t size) {
                          return GeneralisedDeltaChunk(rows, before, start, size);
                        });
}

}  // namespace ablate::models
