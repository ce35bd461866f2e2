// Converts the batches of a bank's lanes to tensors.

#include "harness/train/step/feed.h"

#include <ATen/ops/empty.h>
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::train {
namespace {

/// The arrays of a batch in the order of each_tensor(). Null: zeros, of a field that other lanes have.
struct Arrays {
  using Array = const std::vector<std::int32_t>*;
  std::vector<Array> rows;    // each [rows, time]
  std::vector<Array> source;  // each [rows, source time]; none where there is no source
};

Arrays arrays_of(const data::Batch& batch, const Fields& fields) {
  Arrays arrays{{&batch.tokens, &batch.positions, &batch.visible_from, &batch.visible_until}, {}};
  const auto add = [&](bool is_there, const std::vector<std::int32_t>& array) {
    if (is_there) arrays.rows.push_back(array.empty() ? nullptr : &array);
  };
  add(fields.intervals, batch.also_from);
  add(fields.intervals, batch.also_until);
  add(fields.inner, batch.inner);
  const data::Source& source = batch.source;
  if (source.time == 0) return arrays;
  arrays.rows.insert(arrays.rows.end(), {&batch.source_from, &batch.source_until});
  arrays.source = {&source.tokens, &source.positions, &source.visible_from, &source.visible_until};
  return arrays;
}

/// The fields that some lane has.
Fields fields_of(std::span<const data::Batch> lanes) {
  Fields fields;
  for (const data::Batch& lane : lanes) {
    fields.intervals |= !lane.also_from.empty();
    fields.inner |= !lane.inner.empty();
  }
  return fields;
}

/// Refuses lanes of different sizes, which would be written past the end of the tensors.
void check_sizes(std::span<const data::Batch> lanes) {
  const data::Batch& first = lanes[0];
  const Fields fields = fields_of(lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const data::Batch& lane = lanes[i];
    if (lane.rows != first.rows || lane.time != first.time || lane.source.time != first.source.time)
      throw std::logic_error(fmt::format(
          "feed: lane {} reads [{}, {}], lane 0 [{}, {}]; lanes of a bank share rows and time", i,
          lane.rows, lane.time, first.rows, first.time));
    const Arrays arrays = arrays_of(lane, fields);
    const auto check = [&](const std::vector<Arrays::Array>& kind, std::int64_t time) {
      for (const Arrays::Array array : kind)
        if (array != nullptr && std::ssize(*array) != lane.rows * time)
          throw std::logic_error(fmt::format("feed: lane {} has {} entries for [{}, {}]", i,
                                             array->size(), lane.rows, time));
    };
    check(arrays.rows, lane.time);
    check(arrays.source, lane.source.time);
  }
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

/// One kind of arrays of all lanes: int64 [array, lane, rows, time]; undefined where there are none.
at::Tensor stacked(std::span<const data::Batch> lanes, std::vector<Arrays::Array> Arrays::*kind,
                   std::int64_t time, bool pinned) {
  const Fields fields = fields_of(lanes);
  const auto arrays = static_cast<std::int64_t>((arrays_of(lanes[0], fields).*kind).size());
  if (arrays == 0) return {};
  const std::int64_t size = lanes[0].rows * time, count = std::ssize(lanes);
  const at::Tensor all = at::empty({arrays, count, lanes[0].rows, time},
                                   at::TensorOptions().dtype(at::kLong).pinned_memory(pinned));
  auto* const out = all.data_ptr<std::int64_t>();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    const Arrays own = arrays_of(lanes[static_cast<std::size_t>(lane)], fields);
    std::int64_t* to = out + lane * size;
    for (const Arrays::Array array : own.*kind) {
      if (array != nullptr)
        std::copy(array->begin(), array->end(), to);
      else
        std::fill_n(to, size, std::int64_t{0});
      to += count * size;
    }
  }
  return all;
}

at::Tensor stacked_inputs(std::span<const data::Batch> lanes, bool pinned) {
  return stacked(lanes, &Arrays::rows, lanes[0].time, pinned);
}

at::Tensor stacked_source(std::span<const data::Batch> lanes, bool pinned) {
  return stacked(lanes, &Arrays::source, lanes[0].source.time, pinned);
}

/// The targets of a lane for head number `head`; none where it has no such head.
const data::Scored& scored_by(const data::Batch& batch, std::size_t head) {
  static const data::Scored nothing;
  return head < batch.scored.size() ? batch.scored[head] : nothing;
}

/// Writes `values`, padded with `filling` to `length` entries.
template <class Out, class Value>
void fill(Out* out, const std::vector<Value>& values, std::int64_t length, Out filling) {
  std::fill(std::copy(values.begin(), values.end(), out), out + length, filling);
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

/// Whether position t of every row sees exactly [0, until(t)).
template <class Until>
bool sees_until(std::span<const data::Batch> lanes, const Until& until) {
  for (const data::Batch& lane : lanes)
    for (std::size_t row = 0; row < lane.visible_from.size();
         row += static_cast<std::size_t>(lane.time))
      for (std::int64_t t = 0; t < lane.time; ++t) {
        const std::size_t i = row + static_cast<std::size_t>(t);
        if (lane.visible_from[i] != 0 || lane.visible_until[i] != until(t, lane.time)) return false;
      }
  return true;
}

}  // namespace

Visibility visibility_of(std::span<const data::Batch> lanes) {
  if (fields_of(lanes).intervals) return Visibility::general;
  if (sees_until(lanes, [](std::int64_t t, std::int64_t) { return t + 1; }))
    return Visibility::causal;
  if (sees_until(lanes, [](std::int64_t, std::int64_t time) { return time; }))
    return Visibility::full;
  return Visibility::general;
}

Inputs unpacked(const at::Tensor& inputs, const at::Tensor& source, Visibility visibility,
                const Fields& fields) {
  std::vector<at::Tensor> parts = inputs.unbind();
  if (source.defined())
    for (const at::Tensor& part : source.unbind()) parts.push_back(part);
  Inputs made;
  auto part = parts.begin();
  each_tensor([&](const auto& of) {
    at::Tensor& field = of(made);
    const bool of_intervals = &field == &made.also_from || &field == &made.also_until;
    if ((of_intervals && !fields.intervals) || (&field == &made.inner && !fields.inner)) return;
    if (part != parts.end()) field = *part++;
  });
  if (part != parts.end()) throw std::logic_error("feed: a batch has more arrays than its inputs");
  made.visibility = visibility;
  return made;
}

Inputs to_inputs(std::span<const data::Batch> lanes, const std::string& device) {
  check_sizes(lanes);
  const auto on_device = [&](const at::Tensor& host) {
    return device == "cpu" || !host.defined() ? host : host.to(at::Device(device));
  };
  return unpacked(on_device(stacked_inputs(lanes, false)), on_device(stacked_source(lanes, false)),
                  visibility_of(lanes), fields_of(lanes));
}

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
  }
  return targets;
}

std::int64_t max_scored(std::span<const data::Batch> lanes, std::size_t head) {
  std::size_t maximum = 0;
  for (const data::Batch& lane : lanes)
    maximum = std::max(maximum, scored_by(lane, head).positions.size());
  return static_cast<std::int64_t>(maximum);
}

std::int64_t scored_capacity(std::int64_t needed, std::int64_t current, std::int64_t positions) {
  if (needed <= current) return current;
  constexpr std::int64_t kRound = 32;  // targets
  const std::int64_t roomy = needed + needed / 8;
  const std::int64_t round = (roomy + kRound - 1) / kRound * kRound;
  return std::max(needed, std::min(round, positions));
}

namespace {

Packed::Head pack_head(std::span<const data::Batch> lanes, std::size_t head, std::int64_t scored,
                       bool pinned) {
  const auto count = static_cast<std::int64_t>(lanes.size());
  const at::TensorOptions integers = at::TensorOptions().dtype(at::kLong).pinned_memory(pinned);
  const Packed::Head packed = {at::empty({2, count, scored}, integers),
                               at::empty({count, scored}, integers.dtype(at::kFloat))};
  auto* const targets = packed.targets.data_ptr<std::int64_t>();
  auto* const weights = packed.weights.data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) {
    const data::Scored& own = scored_by(lanes[static_cast<std::size_t>(i)], head);
    check_room(own, scored);
    fill(targets + i * scored, own.positions, scored, last_position(own));
    fill(targets + (count + i) * scored, own.targets, scored, std::int64_t{0});
    fill(weights + i * scored, own.weights, scored, 0.0f);
  }
  return packed;
}

}  // namespace

Packed pack(std::span<const data::Batch> lanes, const std::vector<std::int64_t>& scored,
            bool pinned) {
  check_sizes(lanes);
  Packed packed;
  packed.inputs = stacked_inputs(lanes, pinned);
  packed.source = stacked_source(lanes, pinned);
  for (std::size_t head = 0; head < scored.size(); ++head)
    packed.heads.push_back(pack_head(lanes, head, scored[head], pinned));
  packed.visibility = visibility_of(lanes);
  packed.fields = fields_of(lanes);
  return packed;
}

}  // namespace ablate::train
