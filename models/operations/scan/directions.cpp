#include "models/operations/scan/directions.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

namespace ablate::models {
namespace {

/// True where a position's document is read from its end, too: where it sees a later position, or where
/// the one before it sees the same.
at::Tensor reads_ahead(const SeenRows& seen) {
  const at::Tensor i = at::arange(seen.from.size(2), seen.from.options());
  const at::Tensor as_before = at::logical_and(seen.until == seen.until.roll({1}, {2}),
                                               seen.from == seen.from.roll({1}, {2}));
  const at::Tensor ahead = at::logical_or(seen.until > i + 1, at::logical_and(as_before, i > 0));
  return at::logical_and(ahead, seen.blind.logical_not());
}

/// `where` [lane, batch, time] beside every further dimension of `x`.
at::Tensor beside(at::Tensor where, const at::Tensor& x) {
  while (where.dim() < x.dim()) where = where.unsqueeze(-1);
  return where;
}

}  // namespace

SeenRows::SeenRows(const at::Tensor& all_from, const at::Tensor& all_until, std::int64_t first,
                   std::int64_t lanes)
    : from(all_from.narrow(0, first, lanes)),
      until(all_until.narrow(0, first, lanes)),
      blind(until <= from) {}

at::Tensor mirrored(const at::Tensor& x) { return x.flip({2}); }

at::Tensor ascending(const at::Tensor& from, const at::Tensor& blind) {
  return std::get<0>(at::cummax(from.masked_fill(blind, 0), 2));
}

at::Tensor both_ways(const SeenRows& seen, bool causal, const ReadsRows& read) {
  const bool on_processor = seen.from.is_cpu();
  at::Tensor out = read(ascending(seen.from, seen.blind), false);
  if (!causal) {
    const at::Tensor ahead = reads_ahead(seen);
    if (!on_processor || ahead.any().item<bool>()) {
      const at::Tensor from = mirrored(seen.from.size(2) - seen.until);
      const at::Tensor back = mirrored(read(ascending(from, mirrored(seen.blind)), true));
      out = out + back.masked_fill(beside(ahead.logical_not(), back), 0);
    }
  }
  if (on_processor && !seen.blind.any().item<bool>()) return out;
  return out.masked_fill(beside(seen.blind, out), 0);
}

}  // namespace ablate::models
