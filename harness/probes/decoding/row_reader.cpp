#include "harness/probes/decoding/row_reader.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/probes/decoding/logits.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

/// The part of a batch's array that belongs to a row.
template <class Value>
std::span<const Value> part_of(const data::Batch& batch, const std::vector<Value>& array,
                               std::int64_t row) {
  return std::span(array).subspan(static_cast<std::size_t>(row * batch.time),
                                  static_cast<std::size_t>(batch.time));
}

/// The positions, up to `most`, at which two arrays begin with the same values.
template <class Value>
std::int64_t common_prefix(std::span<const Value> a, const std::vector<Value>& b,
                           std::int64_t most) {
  const auto end = a.begin() + std::min({most, std::ssize(a), std::ssize(b)});
  return std::mismatch(a.begin(), end, b.begin()).first - a.begin();
}

/// How many positions have to be read for the states of the first `end`: as far as they see.
std::int64_t reach(std::span<const std::int32_t> visible_until, std::int64_t end) {
  for (std::int64_t i = 0; i < end; ++i)
    end = std::max<std::int64_t>(end, visible_until[static_cast<std::size_t>(i)]);
  return end;
}

/// The most positions, up to `count`, that see nothing beyond themselves.
std::int64_t closed_prefix(const std::vector<std::int32_t>& visible_until, std::int64_t count) {
  std::int64_t i = 0;
  while (i < count)
    if (visible_until[static_cast<std::size_t>(i)] > count)
      count = std::exchange(i, 0);
    else
      ++i;
  return count;
}

/// What an encoder reads of a row, without padding: of each position the token, its position and what it
/// sees.
std::vector<std::int32_t> source_of(const data::Batch& batch, std::int64_t row) {
  const data::Source& source = batch.source;
  std::vector<std::int32_t> all;
  for (std::int64_t i = row * source.time; i < (row + 1) * source.time; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (source.visible_until[at] > source.visible_from[at])
      all.insert(all.end(), {source.tokens[at], source.positions[at], source.visible_from[at],
                             source.visible_until[at]});
  }
  return all;
}

/// Whether one of the first `end` positions sees a later one.
bool looks_ahead(std::span<const std::int32_t> visible_until, std::int64_t end) {
  for (std::int64_t i = 0; i < end; ++i)
    if (visible_until[static_cast<std::size_t>(i)] > i + 1) return true;
  return false;
}

}  // namespace

RowReader::RowReader(train::Network& network, std::string device)
    : network_(network), device_(std::move(device)) {
  if (const std::optional<train::DecodingState> empty = network.decoding(0))
    truncates_ = empty->truncates;
}

std::vector<float> RowReader::logits(const data::Batch& batch, std::span<const Place> places) {
  if (places.empty()) return {};
  std::vector<Reading> readings = RowReader::readings(batch, places);
  if (!steps(batch, readings)) {
    positions_read_ += batch.rows * batch.time;
    return batch_logits(network_, batch, places, device_);
  }
  resume(batch, readings);
  const at::Tensor hidden = read(batch, readings);
  std::map<std::int64_t, std::size_t> number;  // of the reading, by row of the batch
  for (std::size_t i = 0; i < readings.size(); ++i) number[readings[i].row] = i;
  std::vector<Place> own;
  own.reserve(places.size());
  for (const Place& place : places) {
    const std::size_t i = number.at(static_cast<std::int64_t>(place.document));
    own.push_back({i, place.position - static_cast<std::size_t>(readings[i].shared)});
  }
  return head_logits(network_, hidden, hidden.size(2), own);
}

std::vector<RowReader::Reading> RowReader::readings(const data::Batch& batch,
                                                    std::span<const Place> places) {
  std::map<std::int64_t, Reading> by_row;
  for (const Place& place : places) {
    const auto row = static_cast<std::int64_t>(place.document);
    const auto position = static_cast<std::int64_t>(place.position);
    Reading& reading =
        by_row.try_emplace(row, Reading{.row = row, .first = position}).first->second;
    reading.first = std::min(reading.first, position);
    reading.end = std::max(reading.end, position + 1);
  }
  std::vector<Reading> all;
  all.reserve(by_row.size());
  for (auto& [row, reading] : by_row) {
    reading.end = reach(part_of(batch, batch.visible_until, row), reading.end);
    if (batch.source.time > 0) reading.source = source_of(batch, row);
    all.push_back(std::move(reading));
  }
  return all;
}

bool RowReader::steps(const data::Batch& batch, const std::vector<Reading>& readings) const {
  if (!truncates_) return false;
  // Steps read one interval.
  if (std::ranges::any_of(batch.also_until, [](std::int32_t until) { return until > 0; }))
    return false;
  return *truncates_ || std::ranges::none_of(readings, [&](const Reading& reading) {
    return looks_ahead(part_of(batch, batch.visible_until, reading.row), reading.end);
  });
}

std::int64_t RowReader::shared_with(const data::Batch& batch, const Reading& reading,
                                    const Row& read) const {
  std::int64_t shared = reading.first;
  const auto compare = [&](const auto& array, const auto& own) {
    shared = common_prefix(part_of(batch, array, reading.row), own, shared);
  };
  compare(batch.tokens, read.tokens);
  compare(batch.positions, read.positions);
  compare(batch.visible_from, read.visible_from);
  compare(batch.visible_until, read.visible_until);
  if (!batch.inner.empty()) compare(batch.inner, read.inner);
  if (batch.source.time > 0) {
    compare(batch.source_from, read.source_from);
    compare(batch.source_until, read.source_until);
    if (shared > 0 && reading.source != read.source) shared = 0;
  }
  if (!*truncates_) return shared == std::ssize(read.tokens) ? shared : 0;
  return closed_prefix(read.visible_until, shared);
}

void RowReader::resume(const data::Batch& batch, std::vector<Reading>& readings) {
  std::int64_t shared = 0, wanted = 0;
  std::size_t next = 0;  // rows most often come back in their order
  for (Reading& reading : readings) {
    for (std::size_t tried = 0; tried < rows_.size(); ++tried) {
      const std::size_t row = (next + tried) % rows_.size();
      const std::int64_t own = shared_with(batch, reading, rows_[row]);
      if (own <= reading.shared) continue;
      reading.shared = own;
      reading.continued = static_cast<std::int64_t>(row);
      if (own == std::ssize(rows_[row].tokens)) break;
    }
    if (reading.shared > 0) next = static_cast<std::size_t>(reading.continued) + 1;
    shared += reading.shared;
    wanted += reading.end;
  }
  // Rows are read from their beginnings by faster kernels, and all sources with all beginnings.
  const bool anew = 2 * shared < wanted ||
                    (batch.source.time > 0 && std::ranges::any_of(readings, [](const auto& one) {
                       return one.shared == 0;
                     }));
  if (anew) {
    for (Reading& reading : readings) reading.shared = 0;
    state_ = network_.decoding(std::ssize(readings));
    return;
  }
  std::vector<std::int64_t> rows, lengths;
  for (const Reading& reading : readings) {
    rows.push_back(reading.continued);
    lengths.push_back(reading.shared);
  }
  state_->select(rows);
  state_->truncate(lengths);
}

at::Tensor RowReader::read_sources(const data::Batch& batch, const std::vector<Reading>& readings) {
  const data::Source& source = batch.source;
  const at::Tensor all = at::empty({4, 1, std::ssize(readings), source.time}, at::kLong);
  std::int64_t* to = all.data_ptr<std::int64_t>();
  for (const std::vector<std::int32_t>* array :
       {&source.tokens, &source.positions, &source.visible_from, &source.visible_until})
    for (const Reading& reading : readings)
      to = std::copy_n(array->begin() + reading.row * source.time, source.time, to);
  positions_read_ += std::ssize(readings) * source.time;
  return all;
}

at::Tensor RowReader::read(const data::Batch& batch, std::vector<Reading>& readings) {
  std::int64_t time = 0;
  std::vector<std::int64_t> counts;
  counts.reserve(readings.size());
  for (const Reading& reading : readings) {
    counts.push_back(reading.end - reading.shared);
    time = std::max(time, counts.back());
  }
  // What is padded sees nothing.
  const bool encoded = batch.source.time > 0;
  const std::int64_t rows = std::ssize(readings);
  const bool inner = !batch.inner.empty();
  const at::Tensor all =
      at::zeros({4 + (inner ? 1 : 0) + (encoded ? 2 : 0), 1, rows, time}, at::kLong);
  std::vector<Row> read(readings.size());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    Reading& reading = readings[i];
    std::int64_t* to = all.data_ptr<std::int64_t>() + static_cast<std::int64_t>(i) * time;
    const auto take = [&](const auto& array, auto& own) {
      const auto values =
          part_of(batch, array, reading.row).first(static_cast<std::size_t>(reading.end));
      std::copy(values.begin() + reading.shared, values.end(), to);
      own.assign(values.begin(), values.end());
      to += rows * time;
    };
    take(batch.tokens, read[i].tokens);
    take(batch.positions, read[i].positions);
    take(batch.visible_from, read[i].visible_from);
    take(batch.visible_until, read[i].visible_until);
    if (inner) take(batch.inner, read[i].inner);
    if (!encoded) continue;
    take(batch.source_from, read[i].source_from);
    take(batch.source_until, read[i].source_until);
    read[i].source = std::move(reading.source);
  }
  const at::Device device(device_);
  const bool first = readings.front().shared == 0 && encoded;
  const at::Tensor source = first ? read_sources(batch, readings).to(device) : at::Tensor();
  positions_read_ += rows * time;
  const train::Inputs inputs =
      train::unpacked(all.to(device), source, train::Visibility::general, {.inner = inner});
  const at::Tensor hidden = network_.step(*state_, inputs, counts);
  rows_ = std::move(read);
  return hidden;
}

}  // namespace ablate::probes
