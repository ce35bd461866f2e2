// Linear attention with per-position visibility, in ATen.

#include "models/operations/linear_attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <vector>

#include "models/operations/attention.h"

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

/// The sums over earlier positions of the document that a chunk begins in.
struct EarlierSums {
  at::Tensor products;  // of turned keys and values, [row, heads, head_width, head_width]
  at::Tensor keys;      // [row, 1, heads, head_width]
};

at::Tensor feature_map(const at::Tensor& x) { return at::elu(x) + 1; }

/// `x` with zeros in the place of all numbers that are not kept, whatever they are.
at::Tensor kept(const at::Tensor& x, const at::Tensor& keep) {
  return x.masked_fill(keep.logical_not(), 0);
}

/// The outputs of positions [start, start + size), [row, size, heads, head_width].
at::Tensor chunk_of(const ReadRows& rows, const EarlierSums& earlier, std::int64_t start,
                    std::int64_t size) {
  const auto in_chunk = [&](const at::Tensor& x, std::int64_t dimension) {
    return x.narrow(dimension, start, size);
  };
  const at::Tensor from = in_chunk(rows.visible_from, 1), until = in_chunk(rows.visible_until, 1);
  const at::Tensor queries = in_chunk(rows.queries, 1), keys = in_chunk(rows.keys, 1);
  const at::Tensor turned = in_chunk(rows.turned_queries, 2);
  const at::Tensor j = at::arange(start, start + size, from.options());
  const at::Tensor seen =
      at::logical_and(j >= from.unsqueeze(-1), j < until.unsqueeze(-1));  // [row, size, size]
  const at::Tensor products =
      kept(at::matmul(turned, in_chunk(rows.turned_keys, 2).transpose(-1, -2)), seen.unsqueeze(1));
  at::Tensor numerators = at::matmul(products, in_chunk(rows.values, 2));
  at::Tensor sums =
      at::matmul(seen.to(keys.scalar_type()), keys.flatten(2)).view(keys.sizes());  // of keys
  if (earlier.keys.defined()) {
    const at::Tensor goes_on = at::logical_and(from<start, until> start).unsqueeze(1).unsqueeze(-1);
    numerators = numerators + kept(at::matmul(turned, earlier.products), goes_on);
    sums = sums + kept(earlier.keys.expand_as(sums), goes_on.transpose(1, 2));
  }
  const at::Tensor denominators = (queries * sums).sum({-1}, true) + kDenominatorEpsilon;
  return numerators.transpose(1, 2) / denominators;
}

/// What the chunk after [start, start + size) may see of everything before it.
EarlierSums sums_after(const ReadRows& rows, const EarlierSums& earlier, std::int64_t start,
                       std::int64_t size) {
  const at::Tensor from = rows.visible_from.narrow(1, start + size, 1);  // [row, 1]
  const at::Tensor j = at::arange(start, start + size, from.options());
  const at::Tensor own = (j >= from).unsqueeze(1).unsqueeze(-1);  // [row, 1, size, 1]
  const at::Tensor turned = kept(rows.turned_keys.narrow(2, start, size), own);
  EarlierSums sums = {at::matmul(turned.transpose(-1, -2), rows.values.narrow(2, start, size)),
                      kept(rows.keys.narrow(1, start, size), own.transpose(1, 2)).sum({1}, true)};
  if (earlier.keys.defined()) {
    const at::Tensor goes_on = (from < start).unsqueeze(-1).unsqueeze(-1);
    sums.products = sums.products + kept(earlier.products, goes_on);
    sums.keys = sums.keys + kept(earlier.keys, goes_on);
  }
  return sums;
}

/// Linear attention of rows, `chunk` positions at once: [row, time, heads, head_width].
at::Tensor in_chunks(const ReadRows& rows, std::int64_t chunk) {
  const std::int64_t time = rows.keys.size(1);
  std::vector<at::Tensor> outputs;
  EarlierSums earlier;
  for (std::int64_t start = 0; start < time; start += chunk) {
    const std::int64_t size = std::min(chunk, time - start);
    outputs.push_back(chunk_of(rows, earlier, start, size));
    if (start + size < time) earlier = sums_after(rows, earlier, start, size);
  }
  return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 1);
}

/// Whether each position sees itself and what the position before it sees, or itself alone, or
/// nothing: a state that is reset at documents then holds all that is seen.
bool is_recurrence(const at::Tensor& from, const at::Tensor& until) {
  const at::Tensor i = at::arange(from.size(1), from.options());
  const at::Tensor sees = until > from;
  const at::Tensor before = from.masked_fill(sees.logical_not(), -1).roll({1}, {1});
  const at::Tensor follows = at::logical_or(from == i, from == before);  // the first one is at 0
  return at::logical_or(at::logical_and(until == i + 1, follows), sees.logical_not())
      .all()
      .item<bool>();
}

}  // namespace

at::Tensor linear_attention(const at::Tensor& qkv, const AttentionMask& mask) {
  const std::int64_t lanes = qkv.size(0), time = qkv.size(2), width = qkv.size(3) / 3;
  const at::Tensor angles = mask.angles.defined() ? mask.angles : angles_of(mask);
  const at::ScalarType type = qkv.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const auto of_lanes = [&](std::int64_t first, std::int64_t count) {
    const auto rows_of = [&](const at::Tensor& x) {
      return x.narrow(0, first, count).flatten(0, 1);
    };
    const at::Tensor own = rows_of(qkv);
    const std::vector<at::Tensor> parts =
        own.to(type).view({own.size(0), time, 3, mask.heads, width / mask.heads}).unbind(2);
    const at::Tensor turns = angles.defined() ? rows_of(angles).to(type) : angles;
    ReadRows rows;
    rows.queries = feature_map(parts[0]);
    rows.keys = feature_map(parts[1]);
    rows.turned_queries = rotated(rows.queries, turns).transpose(1, 2);
    rows.turned_keys = rotated(rows.keys, turns).transpose(1, 2);
    rows.values = parts[2].transpose(1, 2);
    rows.visible_from = rows_of(mask.visible_from);
    rows.visible_until = rows_of(mask.visible_until);
    const bool causal = qkv.is_cpu()
                            ? time > kChunk && is_recurrence(rows.visible_from, rows.visible_until)
                            : mask.visibility == train::Visibility::causal;
    return in_chunks(rows, causal ? kChunk : time)
        .reshape({count, qkv.size(1), time, width})
        .to(qkv.scalar_type());
  };
  if (!qkv.is_cpu()) return of_lanes(0, lanes);
  std::vector<at::Tensor> outputs;
  outputs.reserve(static_cast<std::size_t>(lanes));
  for (std::int64_t lane = 0; lane < lanes; ++lane) outputs.push_back(of_lanes(lane, 1));
  return lanes == 1 ? outputs.front() : at::cat(outputs);
}

}  // namespace ablate::models
