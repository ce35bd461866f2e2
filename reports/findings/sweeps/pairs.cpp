#include "reports/findings/sweeps/pairs.h"

#include <fmt/core.h>

#include <cmath>

#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// "mlm by 0.021 ± 0.004"; "equal" where the mean difference is 0, and "open (0.004 ± 0.015)", of the
/// second arm less the first, where its interval holds 0.
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
  if (pair.established()) return place_text(*pair.crossing);
  if (pair.crossing && pair.high) return "not established, at or below " + place_text(*pair.high);
  if (pair.crossing && pair.low) return "not established, at or above " + place_text(*pair.low);
  if (pair.crossing) return "not established";
  return pair.changes == 0 ? "not up to " + place_text(pair.to)
                           : fmt::format("{} times", pair.changes);
}

std::string interval_text(const SweptPair& pair) {
  if (!pair.crossing) return "";
  const std::string low = pair.low ? place_text(*pair.low) : "below " + place_text(pair.from);
  const std::string high = pair.high ? place_text(*pair.high) : "above " + place_text(pair.to);
  return fmt::format("{} to {}", low, high);
}

std::string path_of(const PairSource& source, std::size_t index) {
  std::vector<std::string> path = source.path;
  path.push_back(std::to_string(index));
  return path_to(path);
}

Query query_of(const Analysis& analysis, const SweptPair& pair, const std::string& path,
               const std::string& view) {
  Query query{
      .metric = pair.metric->name,
      .test = "95 % t-interval of the difference, paired by seed, along what is counted",
      .origins = {{fmt::format("{} − {}", pair.second, pair.first), path, pair.at_end.anchor}}};
  for (const ArmResult* arm : pair.arms) query.arms.push_back(arm->name);
  query.seeds = seeds_of(analysis, query.arms, query.metric);
  query.sql = values_sql(analysis, query.arms, query.metric, view);
  return query;
}

}  // namespace

std::string place_text(double value) {
  return value >= 1000 ? amount(value) : significant(value, 3);
}

Row row_of(const SweptPair& pair, const Analysis& analysis) {
  const std::string &start = pair.at_start.anchor, &end = pair.at_end.anchor;
  return {{label_cell(*pair.metric), text_cell(fmt::format("{}, {}", pair.first, pair.second)),
           from(start, text_cell(lead(pair, pair.at_start))),
           from(end, text_cell(lead(pair, pair.at_end))), from(end, text_cell(crossing_text(pair))),
           from(end, text_cell(interval_text(pair)))},
          pair.metric->name == analysis.primary};
}

Fields<SweptPair> pair_fields() {
  const auto changes = [](const SweptPair& row) { return static_cast<std::int64_t>(row.changes); };
  const auto established = [](const SweptPair& row) { return row.established(); };
  return {{{}, "metric", "metric", [](const SweptPair& row) { return row.metric->name; }},
          {{}, "baseline", "baseline", &SweptPair::first},
          {{}, "arm", "arm", &SweptPair::second},
          {{}, "quantity", "along", &SweptPair::parameter},
          {{}, "from", "from", [](const SweptPair& row) { return std::optional(row.from); }},
          {{}, "to", "to", [](const SweptPair& row) { return std::optional(row.to); }},
          {{}, "seeds", "", [](const SweptPair& row) { return row.at_end.n; }},
          {{}, "difference_at_start", "", [](const SweptPair& row) { return row.at_start.mean; }},
          {{}, "difference_at_end", "", [](const SweptPair& row) { return row.at_end.mean; }},
          {{}, "", "at_start", &SweptPair::at_start},
          {{}, "", "at_end", &SweptPair::at_end},
          {{}, "changes", "changes", changes},
          {{}, "crossing", "crossing", &SweptPair::crossing},
          {{}, "ci_low", "", &SweptPair::low},
          {{}, "ci_high", "", &SweptPair::high},
          {{},
           "",
           "ci",
           [](const SweptPair& row) {
             return Ends{row.low, row.high};
           }},
          {{}, "established", "established", established}};
}

void add_values(const PairSource& source, std::vector<SweptPair>& pairs, Finding& finding) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SweptPair& pair = pairs[i];
    const auto add = [&](Estimate& seen, double at, const char* end) {
      seen.anchor = fmt::format("{}-{}-{}", source.name, i + 1, end);
      finding.values.push_back(
          {fmt::format("{}: {} − {} at {} {}", pair.metric->name, pair.second, pair.first,
                       pair.parameter, significant(at, kStoredDigits)),
           seen, path_of(source, i)});
    };
    add(pair.at_start, pair.from, "start");
    add(pair.at_end, pair.to, "end");
  }
}

void add_statements(const std::vector<SweptPair>& pairs, const Analysis& analysis,
                    const PairSource& source,
                    const std::function<std::string(const SweptPair&)>& place, Finding& finding) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const SweptPair& pair = pairs[i];
    if (pair.metric->name != analysis.primary || !pair.established()) continue;
    const std::string where = place(pair);
    if (where.empty()) continue;
    const std::string& winner = pair.ahead(pair.at_end);
    finding.statements.push_back(
        {fmt::format("In {}, {} overtakes {} {} (95 % interval {}).", pair.metric->label, winner,
                     winner == pair.first ? pair.second : pair.first, where, interval_text(pair)),
         query_of(analysis, pair, path_of(source, i), source.view)});
  }
}

std::string pair_note(std::string_view joined, std::string_view places) {
  return fmt::format(
      "Differences are paired by seed, with 95 % t-intervals; where that holds 0, it is open who "
      "is ahead, and the difference is the second arm's less the first's. A crossing is where "
      "their mean changes its sign, each seed's difference taken as linear between {}; its "
      "interval holds {} at which the t-interval contains 0. \"not established\": it reaches an "
      "end, so that it is open who is ahead there. \"not up to\": the mean never changes its sign. "
      "Exploratory: intervals are not adjusted for the number of metrics.",
      joined, places);
}

}  // namespace ablate::reports
