#include "models/operations/scan/state_space.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <vector>

#include "models/operations/scan/chunk.h"

namespace ablate::models {
namespace {

/// The recurrence within a chunk.
class StateSpaceChunk {
 public:
  /// `decays`, `units`: scaled by the step sizes.
  StateSpaceChunk(const StateSpaceRows& rows, const at::Tensor& decays, const at::Tensor& units,
                  std::int64_t start, std::int64_t size)
      : chunk_(rows.from, decays, start, size),
        writes_(chunk_.part(rows.writes)),
        reads_(chunk_.part(rows.reads)),
        units_(chunk_.part(units).transpose(2, 3)) {}

  /// [lane, batch, size, heads, head_width], given the state before the chunk.
  at::Tensor outputs(const at::Tensor& state) const {
    const at::Tensor scores = at::matmul(reads_, writes_.transpose(-1, -2)).unsqueeze(2);
    at::Tensor outputs = at::matmul(chunk_.decayed_between() * scores, units_);
    if (state.defined())
      outputs = outputs + chunk_.decayed_before(at::matmul(reads_.unsqueeze(2), state));
    return outputs.transpose(2, 3);
  }

  /// The state after the chunk that a document which begins at `from` [lane, batch, 1] has, given that before.
  at::Tensor state_after(const at::Tensor& state, const at::Tensor& from) const {
    const at::Tensor own = chunk_.decayed_to_end(from);
    // [lane, batch, heads, state, size] times [lane, batch, heads, size, head_width]
    const at::Tensor after =
        at::matmul(writes_.transpose(-1, -2).unsqueeze(2) * own.unsqueeze(-2), units_);
    return state.defined() ? after + chunk_.state_at_end(state, from) : after;
  }

 private:
  ScanChunk chunk_;
  at::Tensor writes_, reads_;  // [lane, batch, size, state]
  at::Tensor units_;           // [lane, batch, heads, size, head_width]
};

}  // namespace

at::Tensor state_space_scan(const StateSpaceRows& rows, at::Tensor& state) {
  const std::int64_t time = rows.units.size(2);
  const auto beside_rows = [](const at::Tensor& x) { return x.unsqueeze(1).unsqueeze(1); };
  const at::Tensor decays = rows.steps * beside_rows(rows.rates),
                   units = rows.units * rows.steps.unsqueeze(-1);
  std::vector<at::Tensor> outputs;
  for (std::int64_t start = 0; start < time; start += kScanChunk) {
    const std::int64_t size = std::min(kScanChunk, time - start);
    const StateSpaceChunk chunk(rows, decays, units, start, size);
    outputs.push_back(chunk.outputs(state));
    state = chunk.state_after(state, rows.from.narrow(2, std::min(start + size, time - 1), 1));
  }
  return (outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2)) +
         rows.units * beside_rows(rows.skip).unsqueeze(-1);
}

at::Tensor convolved(const at::Tensor& channels, const ShortConvolution& convolution,
                     const at::Tensor& from, const at::Tensor& before) {
  const std::int64_t time = channels.size(2), taps = convolution.weight.size(2);
  const auto by_row = [](const at::Tensor& x) { return x.unsqueeze(1).unsqueeze(1); };
  at::Tensor earlier = before;
  if (!earlier.defined())
    earlier = at::zeros({channels.size(0), channels.size(1), taps - 1, channels.size(3)},
                        channels.options());
  const at::Tensor read = at::cat({earlier, channels}, 2);
  const at::Tensor i = at::arange(time, from.options());
  at::Tensor sum = by_row(convolution.bias);
  for (std::int64_t back = 0; back < taps; ++back) {
    const at::Tensor weight = by_row(convolution.weight.select(2, taps - 1 - back));
    const at::Tensor tap = read.narrow(2, taps - 1 - back, time);
    const at::Tensor seen = (i - back >= from).unsqueeze(-1);
    sum = sum + weight * (back == 0 ? tap : kept_where(tap, seen));
  }
  return sum;
}

}  // namespace ablate::models
