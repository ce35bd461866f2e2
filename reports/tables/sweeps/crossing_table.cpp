#include "reports/tables/sweeps/crossing_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "reports/analysis/dynamics/overtaking.h"
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
  return pair.changes == 0 ? "not up to " + value_text(pair.to)
                           : fmt::format("{} times", pair.changes);
}

std::string interval_text(const SweptPair& pair) {
  if (!pair.crossing) return "";
  const std::string low = pair.low ? value_text(*pair.low) : "below " + value_text(pair.from);
  const std::string high = pair.high ? value_text(*pair.high) : "above " + value_text(pair.to);
  return fmt::format("{} to {}", low, high);
}

/// The row of a pair: the metric, the arms, who is ahead at both ends, and where they cross.
Row row_of(const SweptPair& pair, const Analysis& analysis) {
  return {
      {text_cell(arrowed(*pair.metric)), text_cell(fmt::format("{}, {}", pair.first, pair.second)),
       text_cell(lead(pair, pair.at_start)), text_cell(lead(pair, pair.at_end)),
       text_cell(crossing_text(pair)), text_cell(interval_text(pair))},
      pair.metric->name == analysis.primary};
}

/// " In METRIC, ONE overtakes OTHER PLACE X (95 % interval ...)." for each pair that crosses once in
/// the primary metric, with an interval that reaches neither end. `place`: the words before X.
std::string sentences(const std::vector<SweptPair>& pairs, const Analysis& analysis,
                      const std::function<std::string(const SweptPair&)>& place) {
  std::string text;
  for (const SweptPair& pair : pairs) {
    if (pair.metric->name != analysis.primary || !pair.low || !pair.high) continue;
    const std::string& winner = pair.ahead(pair.at_end);
    text += fmt::format(" In {}, {} overtakes {} {} (95 % interval {}).", analysis.primary, winner,
                        winner == pair.first ? pair.second : pair.first, place(pair),
                        interval_text(pair));
  }
  return text;
}

std::vector<SweptPair> along_tokens(const std::vector<SweptPair>& in_training) {
  std::vector<SweptPair> pairs;
  std::ranges::copy_if(in_training, std::back_inserter(pairs), [](const SweptPair& pair) {
    return pair.parameter == name_of(Quantity::text_tokens);
  });
  return pairs;
}

}  // namespace

Table crossing_table(const Analysis& analysis, const std::vector<SweptPair>& pairs) {
  Table table{.name = "crossings", .caption = "Which arm is ahead, and where it is overtaken"};
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
    table.rows.push_back(row_of(pair, analysis));
  }
  table.notes = {
      "Differences are paired by seed, with 95 % t-intervals. A crossing is where their mean "
      "changes its sign, each seed's difference taken as linear between the values swept (in their "
      "logarithm where they differ by more than a factor of 10); its interval holds the values at "
      "which the t-interval contains 0. \"not up to\": the mean never changes its sign. "
      "Exploratory: intervals are not adjusted for the number of metrics."};
  return table;
}

std::string overtaking(const Analysis& analysis, const std::vector<SweptPair>& pairs) {
  return sentences(pairs, analysis, [](const SweptPair& pair) {
    return fmt::format("at {} = {}", pair.parameter, value_text(*pair.crossing));
  });
}

Table overtaking_table(const Analysis& analysis, const std::vector<SweptPair>& in_training) {
  Table table{.name = "overtaking", .caption = "Which arm is ahead in training, and from where on"};
  for (const SweptPair& pair : along_tokens(in_training))
    table.rows.push_back(row_of(pair, analysis));
  if (table.rows.empty()) return table;
  table.columns = {{.title = "metric"},
                   {.title = "arms"},
                   {.title = "ahead at the first point"},
                   {.title = "ahead at the end"},
                   {.title = "crossing in tokens of text"},
                   {.title = "95 % interval"}};
  table.notes = {
      "Differences are paired by seed, with 95 % t-intervals. A crossing is where their mean "
      "changes its sign, each seed's difference taken as linear between the points that were "
      "measured (in the logarithm of the tokens where they differ by more than a factor of 10); "
      "its interval holds the numbers of tokens at which the t-interval contains 0. \"not up to\": "
      "the mean never changes its sign. Exploratory: intervals are not adjusted for the number of "
      "metrics."};
  return table;
}

std::string overtaking_in_training(const Analysis& analysis,
                                   const std::vector<SweptPair>& in_training) {
  return sentences(along_tokens(in_training), analysis, [](const SweptPair& pair) {
    return fmt::format("in training after {} tokens of text", value_text(*pair.crossing));
  });
}

}  // namespace ablate::reports
