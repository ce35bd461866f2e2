#include "models/operations/scan/delta_rule.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/scan/chunk.h"
#include "models/operations/scan/unit_triangular.h"

namespace ablate::models {
namespace {

/// The recurrence within a chunk. With D what is left at i of what was written at j, position i writes
/// its key times
///
///   u_i = rates_i (values_i - what is left of the state before the chunk, read by keys_i
///                           - sum over j < i of D_ij (keys_i . keys_j) u_j)
class DeltaChunk {
 public:
  DeltaChunk(const DeltaRows& rows, const at::Tensor& state, std::int64_t start, std::int64_t size)
      : chunk_(rows.from, rows.decays, start, size),
        state_(state),
        reads_(by_head(rows.reads)),
        keys_(by_head(rows.keys)),
        decayed_(chunk_.decayed_between()) {
    const at::Tensor rates = chunk_.part(rows.rates).transpose(2, 3).unsqueeze(-1);
    const at::Tensor values = by_head(rows.values);
    const at::Tensor held = at::matmul(keys_, keys_.transpose(-1, -2)) * decayed_ * rates;
    const at::Tensor own =
        state.defined() ? values - chunk_.decayed_before(at::matmul(keys_, state)) : values;
    written_ = unit_triangular_solved(held, own * rates);
  }

  /// [lane, batch, size, heads, value width].
  at::Tensor outputs() const {
    const at::Tensor scores = at::matmul(reads_, keys_.transpose(-1, -2));
    at::Tensor outputs = at::matmul(scores * decayed_, written_);
    if (state_.defined()) outputs = outputs + chunk_.decayed_before(at::matmul(reads_, state_));
    return outputs.transpose(2, 3);
  }

  /// As of a state-space layer.
  at::Tensor state_after(const at::Tensor& from) const {
    const at::Tensor left = chunk_.decayed_to_end(from).unsqueeze(-1);
    const at::Tensor after = at::matmul((keys_ * left).transpose(-1, -2), written_);
    return state_.defined() ? after + chunk_.state_at_end(state_, from) : after;
  }

 private:
  /// [lane, batch, heads, size, width].
  at::Tensor by_head(const at::Tensor& of_rows) const {
    return chunk_.part(of_rows).transpose(2, 3);
  }

  ScanChunk chunk_;
  at::Tensor state_;
  at::Tensor reads_, keys_;
  at::Tensor decayed_;
  at::Tensor written_;  // [lane, batch, heads, size, value width]
};

}  // namespace

at::Tensor delta_rule_scan(const DeltaRows& rows, at::Tensor& state) {
  return read_in_chunks(rows.from, kScanChunk, state,
                        [&](const at::Tensor& before, std::int64_t start, std::int64_t size) {
                          return DeltaChunk(rows, before, start, size);
                        });
}

}  // namespace ablate::models
