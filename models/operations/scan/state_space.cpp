#include "models/operations/scan/state_space.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include "models/operations/scan/beside_rows.h"
#include "models/operations/scan/chunk.h"

namespace ablate::models {
namespace {

/// The recurrence within a chunk.
class StateSpaceChunk {
 public:
  /// `decays`, `units`: scaled by the step sizes. `state`: that before the chunk.
  StateSpaceChunk(const StateSpaceRows& rows, const at::Tensor& decays, const at::Tensor& units,
                  const at::Tensor& state, std::int64_t start, std::int64_t size)
      : chunk_(rows.from, decays, start, size),
        state_(state),
        writes_(chunk_.part(rows.writes)),
        reads_(chunk_.part(rows.reads)),
        units_(chunk_.part(units).transpose(2, 3)) {}

  /// [lane, batch, size, heads, head_width].
  at::Tensor outputs() const {
    const at::Tensor scores = at::matmul(reads_, writes_.transpose(-1, -2)).unsqueeze(2);
    at::Tensor outputs = at::matmul(chunk_.decayed_between() * scores, units_);
    if (state_.defined())
      outputs = outputs + chunk_.decayed_before(at::matmul(reads_.unsqueeze(2), state_));
    return outputs.transpose(2, 3);
  }

  /// The state after the chunk of a document that begins at `from` [lane, batch, 1].
  at::Tensor state_after(const at::Tensor& from) const {
    const at::Tensor own = chunk_.decayed_to_end(from);
    // [lane, batch, heads, state, size] times [lane, batch, heads, size, head_width]
    const at::Tensor after =
        at::matmul(writes_.transpose(-1, -2).unsqueeze(2) * own.unsqueeze(-2), units_);
    return state_.defined() ? after + chunk_.state_at_end(state_, from) : after;
  }

 private:
  ScanChunk chunk_;
  at::Tensor state_;
  at::Tensor writes_, reads_;  // [lane, batch, size, state]
  at::Tensor units_;           // [lane, batch, heads, size, head_width]
};

}  // namespace

at::Tensor state_space_scan(const StateSpaceRows& rows, at::Tensor& state) {
  const at::Tensor decays = rows.steps * beside_rows(rows.rates),
                   units = rows.units * rows.steps.unsqueeze(-1);
  const at::Tensor read =
      read_in_chunks(rows.from, kScanChunk, state,
                     [&](const at::Tensor& before, std::int64_t start, std::int64_t size) {
                       return StateSpaceChunk(rows, decays, units, before, start, size);
                     });
  return read + rows.units * beside_rows(rows.skip).unsqueeze(-1);
}

at::Tensor convolved(const at::Tensor& channels, const ShortConvolution& convolution,
                     const at::Tensor& from, const at::Tensor& before) {
  const std::int64_t time = channels.size(2), taps = convolution.weight.size(2);
  at::Tensor earlier = before;
  if (!earlier.defined())
    earlier = at::zeros({channels.size(0), channels.size(1), taps - 1, channels.size(3)},
                        channels.options());
  const at::Tensor read = at::cat({earlier, channels}, 2);
  const at::Tensor i = at::arange(time, from.options());
  at::Tensor sum = beside_rows(convolution.bias);
  for (std::int64_t back = 0; back < taps; ++back) {
    const at::Tensor weight = beside_rows(convolution.weight.select(2, taps - 1 - back));
    const at::Tensor tap = read.narrow(2, taps - 1 - back, time);
    const at::Tensor seen = (i - back >= from).unsqueeze(-1);
    sum = sum + weight * (back == 0 ? tap : kept_where(tap, seen));
  }
  return sum;
}

}  // namespace ablate::models
