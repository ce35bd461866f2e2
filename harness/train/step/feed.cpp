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

Packed pack(std::span<const data::Batch> lanes, const std::vector<std::int64_t>& scored,
            bool pinned) {
  check_sizes(lanes);
  Packed packed;
  packed.inputs = stacked_inputs(lanes, pinned);
  packed.source = stacked_source(lanes, pinned);
  for (std::size_t head = 0; head < scored.size(); ++head)
    packed.heads.push_back(pack_targets(lanes, head, scored[head], pinned));
  packed.visibility = visibility_of(lanes);
  packed.fields = fields_of(lanes);
  return packed;
}

}  // namespace ablate::train
