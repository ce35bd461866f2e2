// Linear attention with per-position visibility, in ATen.

#include "models/operations/linear_attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <vector>

#include "models/operations/attention.h"
#include "models/operations/scan/kept_where.h"
#include "models/operations/sums.h"

namespace ablate::models {
namespace {

constexpr double kDenominatorEpsilon = 1e-6;
constexpr std::int64_t kChunk = 64;  // positions that are read at once

/// What linear attention reads of some rows.
struct ReadRows {
  at::Tensor queries, keys;                // after the feature map, [row, time, heads, head_width]
  at::Tensor turned_queries, turned_keys;  // rotated, [row, heads, time, head_width]
  at::Tensor values;                       // [row, heads, time, head_width]
  at::Tensor visible_from, visible_until;  // [row, time]
};

/// The sums over positions beyond one end of a chunk, of the document that reaches over it.
struct OuterSums {
  at::Tensor products;  // of turned keys and values, [row, heads, head_width, head_width]
  at::Tensor keys;      // [row, 1, heads, head_width]
};

at::Tensor feature_map(const at::Tensor& x) { return at::elu(x) + 1; }

/// The outputs of positions [start, start + size), [row, size, heads, head_width], given the sums that
/// reach into them from before and from behind.
at::Tensor chunk_of(const ReadRows& rows, const OuterSums& earlier, const OuterSums& later,
                    std::int64_t start, std::int64_t size) {
  const auto in_chunk = [&](const at::Tensor& x, std::int64_t dimension) {
    return x.narrow(dimension, start, size);
  };
  const std::int64_t end = start + size;
  const at::Tensor from = in_chunk(rows.visible_from, 1), until = in_chunk(rows.visible_until, 1);
  const at::Tensor queries = in_chunk(rows.queries, 1), keys = in_chunk(rows.keys, 1);
  const at::Tensor turned = in_chunk(rows.turned_queries, 2);
  const at::Tensor j = at::arange(start, end, from.options());
  const at::Tensor seen =
      at::logical_and(j >= from.unsqueeze(-1), j < until.unsqueeze(-1));  // [row, size, size]
  const at::Tensor products = kept_where(
      at::matmul(turned, in_chunk(rows.turned_keys, 2).transpose(-1, -2)), seen.unsqueeze(1));
  at::Tensor numerators = at::matmul(products, in_chunk(rows.values, 2));
  at::Tensor sums =
      at::matmul(seen.to(keys.scalar_type()), keys.flatten(2)).view(keys.sizes());  // of keys
  const auto add = [&](const OuterSums& outer, const at::Tensor& sees) {
    if (!outer.keys.defined()) return;
    const at::Tensor reaches = sees.unsqueeze(1).unsqueeze(-1);  // [row, 1, size, 1]
    numerators = numerators + kept_where(at::matmul(turned, outer.products), reaches);
    sums = sums + kept_where(outer.keys.expand_as(sums), reaches.transpose(1, 2));
  };
  add(earlier, at::logical_and(from<start, until> start));
  add(later, at::logical_and(from<end, until> end));
  const at::Tensor denominators = (queries * sums).sum({-1}, true) + kDenominatorEpsilon;
  return numerators.transpose(1, 2) / denominators;
}

/// The sums over those of positions [start, start + size) that are `seen` [row, size], and over what lies
/// beyond them where that `goes_on` [row, 1].
OuterSums summed(const ReadRows& rows, const OuterSums& beyond, std::int64_t start,
                 std::int64_t size, const at::Tensor& seen, const at::Tensor& goes_on) {
  const at::Tensor own = seen.unsqueeze(1).unsqueeze(-1);  // [row, 1, size, 1]
  const at::Tensor turned = kept_where(rows.turned_keys.narrow(2, start, size), own);
  OuterSums sums = {
      at::matmul(turned.transpose(-1, -2), rows.values.narrow(2, start, size)),
      kept_where(rows.keys.narrow(1, start, size), own.transpose(1, 2)).sum({1}, true)};
  if (beyond.keys.defined()) {
    const at::Tensor reaches = goes_on.unsqueeze(-1).unsqueeze(-1);
    sums.products = sums.products + kept_where(beyond.products, reaches);
    sums.keys = sums.keys + kept_where(beyond.keys, reaches);
  }
  return sums;
}

/// What the chunk after [start, start + size) sees of that and of everything before it.
OuterSums sums_before_next(const ReadRows& rows, const OuterSums& earlier, std::int64_t start,
                           std::int64_t size) {
  const at::Tensor from = rows.visible_from.narrow(1, start + size, 1);  // [row, 1]
  const at::Tensor j = at::arange(start, start + size, from.options());
  return summed(rows, earlier, start, size, j >= from, from < start);
}

/// What the chunk before [start, start + size) sees of that and of everything behind it.
OuterSums sums_behind_previous(const ReadRows& rows, const OuterSums& later, std::int64_t start,
                               std::int64_t size) {
  const at::Tensor until = rows.visible_until.narrow(1, start - 1, 1);  // [row, 1]
  const at::Tensor j = at::arange(start, start + size, until.options());
  return summed(rows, later, start, size, j<until, until> start + size);
}

/// How rows are read.
struct Reading {
  std::int64_t chunk = 0;  // positions at once
  bool ahead = false;      // whether some position may see what comes after its chunk
};

/// Linear attention of rows: [row, time, heads, head_width]. `earlier`: the sums that reach into them from
/// before.
at::Tensor in_chunks(const ReadRows& rows, const Reading& reading, OuterSums& earlier) {
  const std::int64_t time = rows.keys.size(1), chunk = reading.chunk;
  const std::int64_t last = (time - 1) / chunk;
  const auto size_of = [&](std::int64_t index) { return std::min(chunk, time - index * chunk); };
  std::vector<OuterSums> later(static_cast<std::size_t>(last) + 1);
  if (reading.ahead)
    for (std::int64_t i = last; i > 0; --i)
      later[static_cast<std::size_t>(i) - 1] =
          sums_behind_previous(rows, later[static_cast<std::size_t>(i)], i * chunk, size_of(i));
  std::vector<at::Tensor> outputs;
  outputs.reserve(later.size());
  for (std::int64_t i = 0; i <= last; ++i) {
    const std::int64_t start = i * chunk, size = size_of(i);
    outputs.push_back(chunk_of(rows, earlier, later[static_cast<std::size_t>(i)], start, size));
    if (i < last) earlier = sums_before_next(rows, earlier, start, size);
  }
  return last == 0 ? outputs.front() : at::cat(outputs, 1);
}

/// How rows on the processor are read: in chunks where sums that are reset at documents hold all that is
/// seen. That is so where each position that sees anything sees itself; back to where the one before it
/// sees, or no further than itself; and ahead to where the one after it sees, or no further than itself.
Reading reading_of(const at::Tensor& from, const at::Tensor& until) {
  const std::int64_t time = from.size(1);
  if (time <= kChunk) return {time};
  const at::Tensor i = at::arange(time, from.options());
  const at::Tensor blind = until <= from;
  const at::Tensor first = from.masked_fill(blind, -1), end = until.masked_fill(blind, -1);
  // The neighbour of an end is the other end, which does not matter: the first position can see back to
  // itself alone, the last one no further than itself.
  const at::Tensor back = at::logical_or(from == i, from == first.roll({1}, {1}));
  const at::Tensor next =
      at::logical_and(until == end.roll({-1}, {1}), from == first.roll({-1}, {1}));
  const at::Tensor ahead = at::logical_or(until == i + 1, next);
  const at::Tensor itself = at::logical_and(from <= i, until > i);
  const at::Tensor good = at::logical_and(itself, at::logical_and(back, ahead));
  if (!at::logical_or(good, blind).all().item<bool>()) return {time};
  return {kChunk, (until > i + 1).any().item<bool>()};
}

/// How rows on a device are read, which is not asked for what they see.
Reading reading_of(train::Visibility visibility, std::int64_t time) {
  return {visibility == train::Visibility::general ? time : kChunk,
          visibility == train::Visibility::full};
}

/// What is read of `count` lanes from number `first` on.
ReadRows rows_of_lanes(const at::Tensor& qkv, const AttentionMask& mask, std::int64_t first,
                       std::int64_t count) {
  const auto rows_of = [&](const at::Tensor& x) { return x.narrow(0, first, count).flatten(0, 1); };
  const at::Tensor angles = mask.angles.defined() ? mask.angles : angles_of(mask);
  const at::ScalarType type = sums_of(qkv.scalar_type());
  const at::Tensor own = rows_of(qkv).to(type);
  const std::vector<at::Tensor> parts =
      own.view({own.size(0), own.size(1), 3, mask.heads, own.size(2) / 3 / mask.heads}).unbind(2);
  const at::Tensor turns = angles.defined() ? rows_of(angles).to(type) : angles;
  ReadRows rows;
  rows.queries = feature_map(parts[0]);
  rows.keys = feature_map(parts[1]);
  rows.turned_queries = rotated(rows.queries, turns).transpose(1, 2);
  rows.turned_keys = rotated(rows.keys, turns).transpose(1, 2);
  rows.values = parts[2].transpose(1, 2);
  rows.visible_from = rows_of(mask.visible_from);
  rows.visible_until = rows_of(mask.visible_until);
  return rows;
}

}  // namespace

at::Tensor linear_attention(const at::Tensor& qkv, const AttentionMask& mask) {
  const std::int64_t lanes = qkv.size(0), time = qkv.size(2), width = qkv.size(3) / 3;
  const auto of_lanes = [&](std::int64_t first, std::int64_t count) {
    const ReadRows rows = rows_of_lanes(qkv, mask, first, count);
    const Reading reading = qkv.is_cpu() ? reading_of(rows.visible_from, rows.visible_until)
                                         : reading_of(mask.visibility, time);
    OuterSums earlier;
    return in_chunks(rows, reading, earlier)
        .reshape({count, qkv.size(1), time, width})
        .to(qkv.scalar_type());
  };
  if (!qkv.is_cpu()) return of_lanes(0, lanes);
  std::vector<at::Tensor> outputs;
  outputs.reserve(static_cast<std::size_t>(lanes));
  for (std::int64_t lane = 0; lane < lanes; ++lane) outputs.push_back(of_lanes(lane, 1));
  return lanes == 1 ? outputs.front() : at::cat(outputs);
}

at::Tensor linear_attention_step(const at::Tensor& qkv, const AttentionMask& mask,
                                 const LinearAttentionStep& step, std::vector<at::Tensor>& kept) {
  const std::int64_t lanes = qkv.size(0), time = qkv.size(2);
  const auto by_row = [&](const at::Tensor& x) {
    return x.unsqueeze(0).expand({lanes, -1, -1}).flatten(0, 1);
  };
  const at::Tensor before = by_row(step.before.unsqueeze(1)), read = by_row(step.read);
  ReadRows rows = rows_of_lanes(qkv, mask, 0, lanes);
  // Nothing of padding is kept.
  const at::Tensor own = read.unsqueeze(1).unsqueeze(-1);
  rows.keys = kept_where(rows.keys, own.transpose(1, 2));
  rows.turned_keys = kept_where(rows.turned_keys, own);
  rows.values = kept_where(rows.values, own);
  // Places are counted from the first one of the step. What follows the last one that is read, padding
  // included, belongs to its document; where none is read, all that was read before stays.
  const at::Tensor from = rows.visible_from - before, counts = read.sum({1}, true);
  const at::Tensor last = from.gather(1, (counts - 1).clamp_min(0)).masked_fill(counts == 0, -1);
  rows.visible_from = at::where(read, from, last);
  rows.visible_until = rows.visible_until - before;
  OuterSums sums;
  if (!kept.empty()) sums = {kept[0].flatten(0, 1), kept[1].flatten(0, 1)};
  const std::int64_t chunk = std::min(kChunk, time), start = (time - 1) / chunk * chunk;
  const at::Tensor out = in_chunks(rows, {chunk, false}, sums);
  const at::Tensor j = at::arange(start, time, last.options());
  sums = summed(rows, sums, start, time - start, j >= last, last < start);
  const auto by_lane = [&](const at::Tensor& x) {
    return x.unflatten(0, std::vector<std::int64_t>{lanes, qkv.size(1)});
  };
  kept = {by_lane(sums.products), by_lane(sums.keys)};
  return out.reshape({lanes, qkv.size(1), time, qkv.size(3) / 3}).to(qkv.scalar_type());
}

}  // namespace ablate::models
