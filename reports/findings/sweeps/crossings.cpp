// Which of two swept arms is ahead, and where it is overtaken.

#include <fmt/core.h>

#include "reports/findings/sweeps/pairs.h"

namespace ablate::reports {
namespace {

Table table_of(const Analysis& analysis, const std::vector<SweptPair>& pairs) {
  Table table{.name = "crossings", .caption = "Which arm is ahead, and where it is overtaken"};
  if (pairs.empty()) return table;
  const SweptPair& any = pairs.front();
  table.columns = {text_column("metric"),
                   text_column("arms"),
                   text_column("ahead at " + place_text(any.from)),
                   text_column("ahead at " + place_text(any.to)),
                   text_column("crossing in " + any.parameter),
                   text_column("95 % interval")};
  for (const SweptPair& pair : pairs)
    if (pair.parameter == any.parameter && pair.from == any.from && pair.to == any.to)
      table.rows.push_back(row_of(pair, analysis));
  table.notes = {pair_note(
      "the values swept (in their logarithm where they differ by more than a factor of 10)",
      "the values")};
  return table;
}

}  // namespace

Finding find_crossings(const Study& study) {
  const PairSource source{"crossing", {"crossings"}, "result"};
  std::vector<SweptPair> pairs = swept_pairs(study.analysis);
  Finding finding;
  add_values(source, pairs, finding);
  finding.records = {{.path = source.path, .json = json_rows(pair_fields(), pairs)}};
  add_statements(
      pairs, study.analysis, source,
      [](const SweptPair& pair) {
        return fmt::format("at {} = {}", pair.parameter, place_text(*pair.crossing));
      },
      finding);
  finding.add("result", table_of(study.analysis, pairs));
  return finding;
}

}  // namespace ablate::reports
