#include "reports/tables/sweeps/crossing_table.h"

#include <fmt/core.h>

#include <cmath>

#include "reports/analysis/sweeps/crossings.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string value_text(double value) {
  return value >= 1000 ? amount(value) : significant(value, 3);
}

/// "mlm by 0.021 ± 0.004"; "equal" where the mean difference is 0.
std::string lead(const SweptPair& pair, const Estimate& difference) {
  if (*difference.mean == 0) return "equal";
  Rounded size = rounded(std::abs(*difference.mean), difference.interval);
  return fmt::format("{} by {}", pair.ahead(difference), size.text());
}

std::string crossing_text(const SweptPair& pair) {
  if (pair.crossing) return value_text(*pair.crossing);
  return pair.changes == 0 ? "none" : fmt::format("{} times", pair.changes);
}

std::string interval_text(const SweptPair& pair) {
  if (!pair.crossing) return "";
  const std::string low = pair.low ? value_text(*pair.low) : "below " + value_text(pair.from);
  const std::string high = pair.high ? value_text(*pair.high) : "above " + value_text(pair.to);
  return fmt::format("{} to {}", low, high);
}

}  // namespace

Table crossing_table(const Analysis& analysis) {
  Table table{.name = "crossings", .caption = "Which arm is ahead, and where it is overtaken"};
  const std::vector<SweptPair> pairs = swept_pairs(analysis);
  if (pairs.empty()) return table;
  const SweptPair& any = pairs.front();
  table.columns = {{.title = "metric"},
                   {.title = "arms"},
                   {.title = fmt::format("ahead at {}", value_text(any.from))},
                   {.title = fmt::format("ahead at {}", value_text(any.to))},
                   {.title = fmt::format("crossing in {}", any.parameter)},
                   {.title = "95 % interval"}};
  for (const SweptPair& pair : pairs) {
    if (pair.parameter != any.parameter || pair.from != any.from || pair.to != any.to) continue;
    table.rows.push_back({{text_cell(arrowed(*pair.metric)),
                           text_cell(fmt::format("{}, {}", pair.first, pair.second)),
                           text_cell(lead(pair, pair.at_start)), text_cell(lead(pair, pair.at_end)),
                           text_cell(crossing_text(pair)), text_cell(interval_text(pair))},
                          pair.metric->name == analysis.primary});
  }
  table.notes = {
      "Differences are paired by seed, with 95 % t-intervals. A crossing is where their mean "
      "changes its sign, each seed's difference taken as linear between the values swept (in their "
      "logarithm where they differ by more than a factor of 10); its interval holds the values at "
      "which the t-interval contains 0. \"none\": the mean never changes its sign. "
      "Exploratory: intervals are not adjusted for the number of metrics."};
  return table;
}

std::string overtaking(const Analysis& analysis) {
  std::string text;
  for (const SweptPair& pair : swept_pairs(analysis)) {
    if (pair.metric->name != analysis.primary || !pair.low || !pair.high) continue;
    const std::string& winner = pair.ahead(pair.at_end);
    text += fmt::format(" In {}, {} overtakes {} at {} = {} (95 % interval {}).", analysis.primary,
                        winner, winner == pair.first ? pair.second : pair.first, pair.parameter,
                        value_text(*pair.crossing), interval_text(pair));
  }
  return text;
}

}  // namespace ablate::reports
