#include "harness/data/batches/rows_of.h"

#include <algorithm>

namespace ablate::data {
namespace {

using Values = std::vector<std::int32_t>;

/// The values of some rows; none where there are none at all.
Values part(const Values& all, std::int64_t first, std::int64_t count, std::int64_t time) {
  if (all.empty()) return {};
  const auto begin = all.begin() + first * time;
  return {begin, begin + count * time};
}

/// The targets at the positions [from, until), counted from `from`.
Scored part(const Scored& all, std::int64_t from, std::int64_t until) {
  const auto at = [&](std::int64_t position) {
    return std::lower_bound(all.positions.begin(), all.positions.end(), position) -
           all.positions.begin();
  };
  const std::ptrdiff_t begin = at(from), end = at(until);
  Scored some{.need = all.need,
              .positions = {all.positions.begin() + begin, all.positions.begin() + end},
              .targets = {all.targets.begin() + begin, all.targets.begin() + end},
              .weights = {all.weights.begin() + begin, all.weights.begin() + end}};
  for (std::int32_t& position : some.positions) position -= static_cast<std::int32_t>(from);
  return some;
}

}  // namespace

RowRange part_of_rows(std::int64_t rows, std::int64_t part, std::int64_t parts) {
  const std::int64_t first = rows * part / parts;
  return {first, rows * (part + 1) / parts - first};
}

Batch rows_of(const Batch& batch, std::int64_t first, std::int64_t count) {
  // All fields by name, so that a new one does not compile until it is cut here, too.
  const auto& [rows, time, tokens, positions, visible_from, visible_until, scored, also_from,
               also_until, inner, primary, source, source_from, source_until] = batch;
  const auto of = [&](const Values& all) { return part(all, first, count, batch.time); };
  const auto of_source = [&](const Values& all) {
    return part(all, first, count, batch.source.time);
  };
  Batch some{.rows = count,
             .time = time,
             .tokens = of(tokens),
             .positions = of(positions),
             .visible_from = of(visible_from),
             .visible_until = of(visible_until),
             .scored = {},
             .also_from = of(also_from),
             .also_until = of(also_until),
             .inner = of(inner),
             .primary = primary,
             .source = {source.time, of_source(source.tokens), of_source(source.positions),
                        of_source(source.visible_from), of_source(source.visible_until)},
             .source_from = of(source_from),
             .source_until = of(source_until)};
  for (const Scored& head : scored)
    some.scored.push_back(part(head, first * time, (first + count) * time));
  return some;
}

}  // namespace ablate::data
