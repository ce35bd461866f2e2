// From batches to tensors: the lanes of a bank side by side.

#include "harness/train/feed.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace ablate {
namespace {

/// One field of all lanes' batches as int64 [lane, rows, time].
template <class Field>
at::Tensor stacked(std::span<const Batch> lanes, const Field& field, const std::string& device) {
  const auto count = static_cast<std::int64_t>(lanes.size());
  const at::Tensor all = at::empty({count, lanes[0].rows, lanes[0].time}, at::kLong);
  std::int64_t* out = all.data_ptr<std::int64_t>();
  for (const Batch& lane : lanes) out = std::copy(field(lane).begin(), field(lane).end(), out);
  return device == "cpu" ? all : all.to(at::Device(device));
}

/// What a lane predicts with `head`, or null.
const Scored* scored_by(const Batch& batch, Head head) {
  const auto found = std::find_if(batch.scored.begin(), batch.scored.end(),
                                  [head](const Scored& scored) { return scored.head == head; });
  return found == batch.scored.end() ? nullptr : &*found;
}

/// `values` as a tensor of `length` entries, filled up with `filling`.
template <class Out, class Value>
at::Tensor filled(const std::vector<Value>& values, std::int64_t length, Out filling,
                  at::ScalarType type, const std::string& device) {
  const at::Tensor tensor = at::empty({length}, type);
  Out* const out = tensor.data_ptr<Out>();
  std::fill(std::copy(values.begin(), values.end(), out), out + length, filling);
  return device == "cpu" ? tensor : tensor.to(at::Device(device));
}

}  // namespace

Inputs to_inputs(std::span<const Batch> lanes, const std::string& device) {
  Inputs inputs;
  inputs.tokens = stacked(
      lanes, [](const Batch& b) -> auto& { return b.tokens; }, device);
  inputs.positions = stacked(
      lanes, [](const Batch& b) -> auto& { return b.positions; }, device);
  inputs.visible_from = stacked(
      lanes, [](const Batch& b) -> auto& { return b.visible_from; }, device);
  inputs.visible_until = stacked(
      lanes, [](const Batch& b) -> auto& { return b.visible_until; }, device);
  return inputs;
}

std::vector<LaneTargets> to_targets(std::span<const Batch> lanes, Head head,
                                    const std::string& device) {
  static const Scored nothing;
  std::vector<const Scored*> all;
  std::size_t longest = 0;
  for (const Batch& lane : lanes) {
    const Scored* const scored = scored_by(lane, head);
    all.push_back(scored ? scored : &nothing);
    longest = std::max(longest, all.back()->at.size());
  }
  std::vector<LaneTargets> targets;
  for (const Scored* lane : all) {
    const auto length = static_cast<std::int64_t>(device == "cpu" ? lane->at.size() : longest);
    // Filling repeats the last position, so that positions stay in order.
    const std::int64_t last = lane->at.empty() ? 0 : lane->at.back();
    targets.push_back({filled(lane->at, length, last, at::kLong, device),
                       filled(lane->targets, length, std::int64_t{0}, at::kLong, device),
                       filled(lane->weights, length, 0.0f, at::kFloat, device)});
  }
  return targets;
}

}  // namespace ablate
