#include "models/operations/scan/state_space.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "models/operations/scan/kept_where.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kScanChunk = 64;  // positions that are read at once

/// The positions [start, start + size) of some rows.
class ScanChunk {
 public:
  ScanChunk(const StateSpaceRows& rows, std::int64_t start, std::int64_t size)
      : start_(start), size_(size), writes_(part(rows.writes)), reads_(part(rows.reads)) {
    units_ = part(rows.units).transpose(2, 3);
    from_ = part(rows.from);
    j_ = at::arange(start, start + size, from_.options());
    seen_ = at::logical_and(j_ >= from_.unsqueeze(-1), j_ <= j_.unsqueeze(-1));
    // By a product, so that nothing of another document is in a sum; nor has a device a deterministic
    // cumsum.
    sums_ = at::matmul(seen_.to(rows.decays.scalar_type()), part(rows.decays)).transpose(2, 3);
  }

  /// [lane, batch, size, heads, head_width], given the state before the chunk.
  at::Tensor outputs(const at::Tensor& state) const {
    const at::Tensor decays =
        (sums_.unsqueeze(-1) - sums_.unsqueeze(-2))
            .masked_fill(seen_.logical_not().unsqueeze(2), -std::numeric_limits<double>::infinity())
            .exp();
    const at::Tensor scores = at::matmul(reads_, writes_.transpose(-1, -2)).unsqueeze(2);
    at::Tensor outputs = at::matmul(decays * scores, units_);
    if (state.defined()) {
      const at::Tensor earlier = at::matmul(reads_.unsqueeze(2), state) * sums_.unsqueeze(-1).exp();
      outputs = outputs + kept_where(earlier, (from_ < start_).unsqueeze(2).unsqueeze(-1));
    }
    return outputs.transpose(2, 3);
  }

  /// The state after the chunk that a document which begins at `from` [lane, batch, 1] has, given that before.
  at::Tensor state_after(const at::Tensor& state, const at::Tensor& from) const {
    const at::Tensor all = sums_.narrow(3, size_ - 1, 1);
    const at::Tensor own = kept_where((all - sums_).exp(), (j_ >= from).unsqueeze(2));
    // [lane, batch, heads, state, size] times [lane, batch, heads, size, head_width]
    at::Tensor after =
        at::matmul(writes_.transpose(-1, -2).unsqueeze(2) * own.unsqueeze(-2), units_);
    if (state.defined())
      after = after + kept_where(state * all.unsqueeze(-1).exp(),
                                 (from < start_).unsqueeze(-1).unsqueeze(-1));
    return after;
  }

 private:
  at::Tensor part(const at::Tensor& of_rows) const { return of_rows.narrow(2, start_, size_); }

  std::int64_t start_, size_;
  at::Tensor writes_, reads_;  // [lane, batch, size, state]
  at::Tensor units_;           // [lane, batch, heads, size, head_width]
  at::Tensor from_, j_;        // [lane, batch, size], [size]
  at::Tensor seen_;            // by i: whether j is seen, [lane, batch, size, size]
  at::Tensor sums_;            // of decays of what is seen, [lane, batch, heads, size]
};

}  // namespace

at::Tensor state_space_scan(const StateSpaceRows& rows, at::Tensor& state) {
  const std::int64_t time = rows.units.size(2);
  std::vector<at::Tensor> outputs;
  for (std::int64_t start = 0; start < time; start += kScanChunk) {
    const std::int64_t size = std::min(kScanChunk, time - start);
    const ScanChunk chunk(rows, start, size);
    outputs.push_back(chunk.outputs(state));
    state = chunk.state_after(state, rows.from.narrow(2, std::min(start + size, time - 1), 1));
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 2);
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
