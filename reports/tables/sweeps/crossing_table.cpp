#include "reports/tables/sweeps/crossing_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/analysis/dynamics/overtaking.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::string value_text(double value) {
  return value >= 1000 ? amount(value) : significant(value, 3);
}

/// "mlm by 0.021 ± 0.004"; "equal" where the mean difference is 0, and "open (0.004 ± 0.015)", of the second arm less
/// the first, where its interval holds 0.
std::string lead(const SweptPair& pair, const Estimate& difference) {
  if (*difference.mean == 0) return "equal";
  const auto& interval = difference.interval;
  if (!interval || (interval->low <= 0 && interval->high >= 0))
    return fmt::format("open ({})", rounded(*difference.mean, interval).text());
  Rounded size = rounded(std::abs(*difference.mean), difference.interval);
  return fmt::format("{} by {}", pair.ahead(difference), size.text());
}

/// "597 k"; where it is open who is ahead at an end, how far that end reaches: "not established, at
/// or below 696 k".
std::string crossing_text(const SweptPair& pair) {
  if (pair.established()) return value_text(*pair.crossing);
  if (pair.crossing && pair.high) return "not established, at or below " + value_text(*pair.high);
  if (pair.crossing && pair.low) return "not established, at or above " + value_text(*pair.low);
  if (pair.crossing) return "not established";
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
  const std::string &start = pair.at_start.anchor, &end = pair.at_end.anchor;
  return {{label_cell(*pair.metric), text_cell(fmt::format("{}, {}", pair.first, pair.second)),
           from(start, text_cell(lead(pair, pair.at_start))),
           from(end, text_cell(lead(pair, pair.at_end))), from(end, text_cell(crossing_text(pair))),
           from(end, text_cell(interval_text(pair)))},
          pair.metric->name == analysis.primary};
}

/// Where report.json and pages have pairs, and which view of the index has their values.
struct Source {
  std::vector<std::string> path;
  std::string view;
};

Query query_of(const Analysis& analysis, const SweptPair& pair, std::size_t index,
               const Source& source) {
  std::vector<std::string> path = source.path;
  path.push_back(std::to_string(index));
  Query query{.metric = pair.metric->name,
              .test = "95 % t-interval of the difference, paired by seed, along what is counted",
              .origins = {{fmt::format("{} − {}", pair.second, pair.first), path_to(path),
                           pair.at_end.anchor}}};
  for (const ArmResult* arm : pair.arms) query.arms.push_back(arm->name);
  query.seeds = seeds_of(analysis, query.arms, query.metric);
  query.sql = values_sql(analysis, query.arms, query.metric, source.view);
  return query;
}

/// "In METRIC, ONE overtakes OTHER PLACE X (95 % interval ...)." for each pair that crosses once in
/// the primary metric, with an interval that reaches neither end. `place`: the words up to X; empty:
/// the pair is left out.
std::vector<Statement> statements(const std::vector<SweptPair>& pairs, const Analysis& analysis,
                                  const Source& source,
                                  const std::function<std::string(const SweptPair&)>& place) {
  std::vector<Statement> made;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const SweptPair& pair = pairs[i];
    if (pair.metric->name != analysis.primary || !pair.established()) continue;
    const std::string where = place(pair);
    if (where.empty()) continue;
    const std::string& winner = pair.ahead(pair.at_end);
    made.push_back(
        {fmt::format("In {}, {} overtakes {} {} (95 % interval {}).", pair.metric->label, winner,
                     winner == pair.first ? pair.second : pair.first, where, interval_text(pair)),
         query_of(analysis, pair, i, source)});
  }
  return made;
}

bool along_tokens(const SweptPair& pair) {
  return pair.parameter == name_of(Quantity::text_tokens);
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
      "Differences are paired by seed, with 95 % t-intervals; where that holds 0, it is open who "
      "is "
      "ahead, and the difference is the second arm's less the first's. A crossing is where their "
      "mean "
      "changes its sign, each seed's difference taken as linear between the values swept (in their "
      "logarithm where they differ by more than a factor of 10); its interval holds the values at "
      "which the t-interval contains 0. \"not established\": it reaches an end, so that it is open "
      "who is ahead there. \"not up to\": the mean never changes its sign. "
      "Exploratory: intervals are not adjusted for the number of metrics."};
  return table;
}

std::vector<Statement> overtaking(const Analysis& analysis, const std::vector<SweptPair>& pairs) {
  return statements(pairs, analysis, {{"crossings"}, "result"}, [](const SweptPair& pair) {
    return fmt::format("at {} = {}", pair.parameter, value_text(*pair.crossing));
  });
}

Table overtaking_table(const Analysis& analysis, const std::vector<SweptPair>& in_training) {
  Table table{.name = "overtaking", .caption = "Which arm is ahead in training, and from where on"};
  for (const SweptPair& pair : in_training)
    if (along_tokens(pair)) table.rows.push_back(row_of(pair, analysis));
  if (table.rows.empty()) return table;
  table.columns = {{.title = "metric"},
                   {.title = "arms"},
                   {.title = "ahead at the first point"},
                   {.title = "ahead at the end"},
                   {.title = "crossing in tokens of text"},
                   {.title = "95 % interval"}};
  table.notes = {
      "Differences are paired by seed, with 95 % t-intervals; where that holds 0, it is open who "
      "is "
      "ahead, and the difference is the second arm's less the first's. A crossing is where their "
      "mean "
      "changes its sign, each seed's difference taken as linear between the points that were "
      "measured (in the logarithm of the tokens where they differ by more than a factor of 10); "
      "its interval holds the numbers of tokens at which the t-interval contains 0. \"not "
      "established\": it reaches an end, so that it is open who is ahead there. \"not up to\": the "
      "mean never changes its sign. Exploratory: intervals are not adjusted for the number of "
      "metrics."};
  return table;
}

std::vector<Statement> overtaking_in_training(const Analysis& analysis,
                                              const std::vector<SweptPair>& in_training) {
  const Source source{{"dynamics", "overtaking"}, "dynamics"};
  return statements(in_training, analysis, source, [](const SweptPair& pair) {
    return along_tokens(pair)
               ? fmt::format("in training after {} tokens of text", value_text(*pair.crossing))
               : "";
  });
}

}  // namespace ablate::reports
