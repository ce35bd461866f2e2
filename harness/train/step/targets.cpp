#include "harness/train/step/targets.h"

#include <ATen/ops/empty.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::train {
namespace {

/// The targets of a lane for head number `head`; none where it has no such head.
const data::Scored& scored_by(const data::Batch& batch, std::size_t head) {
  static const data::Scored nothing;
  return head < batch.scored.size() ? batch.scored[head] : nothing;
}

/// Refuses more targets than `room`, and lists of different lengths.
void check_room(const data::Scored& scored, std::int64_t room) {
  const std::size_t count = scored.positions.size();
  if (scored.targets.size() != count || scored.weights.size() != count)
    throw std::logic_error(fmt::format(
        "feed: got {} positions, {} targets and {} weights; their numbers must be equal", count,
        scored.targets.size(), scored.weights.size()));
  if (static_cast<std::int64_t>(count) > room)
    throw std::logic_error(
        fmt::format("feed: a lane has {} targets; there is room for {}", count, room));
}

/// Writes `values`, padded with `filling` to `length` entries.
template <class Out, class Value>
void fill(Out* out, const std::vector<Value>& values, std::int64_t length, Out filling) {
  std::fill(std::copy(values.begin(), values.end(), out), out + length, filling);
}

/// Whether some lane's head reads the tokens that the places of its targets show.
bool reads_shown(std::span<const data::Batch> lanes, std::size_t head) {
  return std::any_of(lanes.begin(), lanes.end(), [head](const data::Batch& lane) {
    return scored_by(lane, head).need.traits.reads_shown;
  });
}

/// The tokens at the places of a lane's targets.
std::vector<Token> shown_at(const data::Batch& batch, const data::Scored& scored) {
  std::vector<Token> shown;
  for (const std::int32_t position : scored.positions)
    shown.push_back(batch.tokens[static_cast<std::size_t>(position)]);
  return shown;
}

/// The value that positions are padded with: the last one, so that they stay ascending.
std::int64_t last_position(const data::Scored& scored) {
  return scored.positions.empty() ? 0 : scored.positions.back();
}

/// `values` as a tensor of `length` entries, padded with `filling`.
template <class Out, class Value>
at::Tensor filled(const std::vector<Value>& values, std::int64_t length, Out filling,
                  at::ScalarType type, const std::string& device) {
  const at::Tensor tensor = at::empty({length}, type);
  fill(tensor.data_ptr<Out>(), values, length, filling);
  return device == "cpu" ? tensor : tensor.to(at::Device(device));
}

}  // namespace

std::vector<LaneTargets> to_targets(std::span<const data::Batch> lanes, std::size_t head,
                                    const std::string& device) {
  const std::int64_t longest = max_scored(lanes, head);
  std::vector<LaneTargets> targets;
  for (const data::Batch& batch : lanes) {
    const data::Scored& lane = scored_by(batch, head);
    const auto length =
        device == "cpu" ? static_cast<std::int64_t>(lane.positions.size()) : longest;
    check_room(lane, length);
    targets.push_back({filled(lane.positions, length, last_position(lane), at::kLong, device),
                       filled(lane.targets, length, std::int64_t{0}, at::kLong, device),
                       filled(lane.weights, length, 0.0f, at::kFloat, device)});
    if (reads_shown(lanes, head))
      targets.back().shown =
          filled(shown_at(batch, lane), length, std::int64_t{0}, at::kLong, device);
  }
  return targets;
}

std::int64_t max_scored(std::span<const data::Batch> lanes, std::size_t head) {
  std::size_t maximum = 0;
  for (const data::Batch& lane : lanes)
    maximum = std::max(maximum, scored_by(lane, head).positions.size());
  return static_cast<std::int64_t>(maximum);
}

std::int64_t most_scored(const data::Batch& lane, std::size_t head) {
  return lane.rows * lane.time * scored_by(lane, head).need.traits.labels;
}

std::int64_t scored_capacity(std::int64_t needed, std::int64_t current, std::int64_t most) {
  if (needed <= current) return current;
  constexpr std::int64_t kRound = 32;  // targets
  const std::int64_t roomy = needed + needed / 8;
  const std::int64_t round = (roomy + kRound - 1) / kRound * kRound;
  return std::max(needed, std::min(round, most));
}

PackedTargets pack_targets(std::span<const data::Batch> lanes, std::size_t head,
                           std::int64_t scored, bool pinned) {
  const auto count = static_cast<std::int64_t>(lanes.size());
  const at::TensorOptions integers = at::TensorOptions().dtype(at::kLong).pinned_memory(pinned);
  const bool with_shown = reads_shown(lanes, head);
  const PackedTargets packed = {at::empty({with_shown ? 3 : 2, count, scored}, integers),
                                at::empty({count, scored}, integers.dtype(at::kFloat))};
  auto* const targets = packed.targets.data_ptr<std::int64_t>();
  auto* const weights = packed.weights.data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) {
    const data::Batch& batch = lanes[static_cast<std::size_t>(i)];
    const data::Scored& own = scored_by(batch, head);
    check_room(own, scored);
    fill(targets + i * scored, own.positions, scored, last_position(own));
    fill(targets + (count + i) * scored, own.targets, scored, std::int64_t{0});
    fill(weights + i * scored, own.weights, scored, 0.0f);
    if (with_shown)
      fill(targets + (2 * count + i) * scored, shown_at(batch, own), scored, std::int64_t{0});
  }
  return packed;
}

LaneTargets lane_targets(const PackedTargets& head, std::int64_t lane) {
  const auto of_lane = [&](std::int64_t kind) {
    return head.targets.select(0, kind).select(0, lane);
  };
  return {of_lane(0), of_lane(1), head.weights.select(0, lane),
          head.targets.size(0) > 2 ? of_lane(2) : at::Tensor()};
}

}  // namespace ablate::train
