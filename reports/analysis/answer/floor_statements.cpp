#include "reports/analysis/answer/floor_statements.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "harness/statistics/one_sample/summary.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/floors.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxRepeats = 4;  // a forecast for more seeds than that says little

std::vector<std::string> labels_of(const Analysis& analysis,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> labels;
  labels.reserve(names.size());
  for (const std::string& name : names) labels.push_back(analysis.label(name));
  return labels;
}

/// Of `all` arms those that are not among `names`, if every one of them is shown to be better than its floor and they are
/// the fewer; else none.
std::vector<std::string> exceptions(const Analysis& analysis, const std::vector<std::string>& names,
                                    const std::vector<std::string>& all) {
  std::vector<std::string> others;
  for (const std::string& name : all)
    if (std::ranges::find(names, name) == names.end()) others.push_back(name);
  const bool shown = std::ranges::all_of(others, [&](const std::string& name) {
    const Estimate gain = above_floor(analysis, analysis.arm(name));
    return gain.interval && gain.interval->low > 0;
  });
  if (names.size() < 3 || 2 * names.size() <= all.size() || !shown) return {};
  return others;
}

/// "neither clm nor mlm is shown to beat". Requires: `names` are among `all`, and at least one.
std::string none_beats(const Analysis& analysis, const std::vector<std::string>& names,
                       const std::vector<std::string>& all) {
  const std::vector<std::string> labels = labels_of(analysis, names);
  const std::vector<std::string> but = labels_of(analysis, exceptions(analysis, names, all));
  if (labels.size() == 1) return labels[0] + " is not shown to beat";
  if (labels.size() == 2)
    return fmt::format("neither {} nor {} is shown to beat", labels[0], labels[1]);
  if (labels.size() == all.size()) return "no arm is shown to beat";
  if (!but.empty()) return fmt::format("no arm but {} is shown to beat", listed(but));
  return fmt::format("none of {} is shown to beat", listed(labels));
}

/// "clm and mlm are worse than". Requires: as above.
std::string all_worse(const Analysis& analysis, const std::vector<std::string>& names,
                      const std::vector<std::string>& all) {
  if (names.size() > 2 && names.size() == all.size()) return "all arms are worse than";
  return fmt::format("{} {} worse than", listed(labels_of(analysis, names)),
                     names.size() == 1 ? "is" : "are");
}

/// "topic accuracy, untrained model"; the constant of a floor that no metric measures.
std::string floor_labels(const Analysis& analysis, const Bound& floor) {
  std::string text;
  for (const auto& [metric, factor] : floor.terms)
    text += (text.empty() ? ""
             : factor < 0 ? ", minus "
                          : ", plus ") +
            analysis.metric_label(metric);
  return text.empty() ? floor.text() : text;
}

/// How many seeds would lift the interval of a gain above 0 if further ones were like those seen: a
/// multiple of their number. Empty where few seeds, or none within reach, allow no such forecast.
std::optional<std::int64_t> seeds_to_show(const Estimate& gain) {
  std::vector<double> seen;
  for (const auto& value : gain.values)
    if (value) seen.push_back(*value);
  if (seen.size() < 3) return std::nullopt;
  std::vector<double> more = seen;
  for (std::size_t repeat = 2; repeat <= kMaxRepeats; ++repeat) {
    more.insert(more.end(), seen.begin(), seen.end());
    if (statistics::t_interval(more)->low > 0) return static_cast<std::int64_t>(more.size());
  }
  return std::nullopt;
}

/// The gains of arms on their floors: the values of the metric, and of what its floor is made of.
Query gains_of(const Analysis& analysis, const std::vector<std::string>& arms, std::string test) {
  const std::string& metric = analysis.primary;
  Query query{.metric = metric,
              .arms = arms,
              .seeds = seeds_of(analysis, arms, metric),
              .test = std::move(test)};
  std::vector<std::string> metrics = {metric};
  for (const std::string& name : arms) {
    const ArmResult& arm = analysis.arm(name);
    query.origins.push_back(origin_of(analysis, arm, metric));
    for (const std::string& term : floor_of(analysis, arm, metric)->metrics()) {
      query.origins.push_back(origin_of(analysis, arm, term));
      query.origins.back().label += ", " + term;
      if (std::find(metrics.begin(), metrics.end(), term) == metrics.end()) metrics.push_back(term);
    }
  }
  query.sql = values_sql(analysis, arms, metrics);
  return query;
}

/// "Forecast: if further seeds are like these, 12 in all would show a gain of mlm." None where that
/// cannot be said.
std::vector<Statement> forecast(const Analysis& analysis,
                                const std::vector<std::string>& at_floor) {
  std::int64_t seeds = 0;
  std::vector<std::string> labels, names;
  for (const ArmResult& arm : analysis.arms) {
    if (std::find(at_floor.begin(), at_floor.end(), arm.name) == at_floor.end()) continue;
    const auto needed = seeds_to_show(above_floor(analysis, arm));
    if (!needed) continue;
    seeds = std::max(seeds, *needed);
    labels.push_back(arm.label);
    names.push_back(arm.name);
  }
  if (labels.empty()) return {};
  return {
      {fmt::format("Forecast: if further seeds are like these, {} in all would show a gain of {}.",
                   seeds, listed(labels)),
       gains_of(analysis, names,
                "the smallest multiple of the seeds at hand whose 95 % t-interval would lie "
                "above 0 if their gains came again"),
       true}};
}

/// The most text that a trial has read, in tokens; 0 where that is not known.
double most_text(const ArmResult& arm) {
  double tokens = 0;
  for (const Json& ledger : completed_ledgers(arm))
    if (const auto read = ledger.find("text_tokens"); read != ledger.end() && read->is_number())
      tokens = std::max(tokens, read->get<double>());
  return tokens;
}

/// "Train longer than 8.19 k tokens of text, or take an easier task.": the most that an arm has read,
/// where that is known. Not "take another metric": that is how one finds what is not there.
Statement advice(const Analysis& analysis) {
  double tokens = 0;
  Query query;
  for (const ArmResult& arm : analysis.arms) {
    const double read = most_text(arm);
    if (read == 0) continue;
    tokens = std::max(tokens, read);
    query.arms.push_back(arm.name);
    query.origins.push_back({arm.label, path_to({"ledger", arm.name, "text_tokens"}), arm.anchor});
  }
  if (tokens == 0) return {"Train longer, or take an easier task."};
  query.sql =
      "SELECT arm, seed, json_extract(ledger, '$.text_tokens') FROM trial ORDER BY arm, seed";
  return {
      fmt::format("Train longer than {} tokens of text, or take an easier task.", amount(tokens)),
      std::move(query)};
}

/// Whether an arm is shown to lie below its floor, by its t-interval at a level that all arms share
/// (Bonferroni): of many arms with few seeds one lies there by chance.
bool is_below(const Analysis& analysis, const std::string& name, std::size_t arms) {
  std::vector<double> gains;
  for (const auto& gain : above_floor(analysis, analysis.arm(name)).values)
    if (gain) gains.push_back(*gain);
  const auto interval = statistics::t_interval(gains, analysis.alpha / static_cast<double>(arms));
  return interval && interval->high < 0;
}

/// The statements on arms at one floor. Requires: at least one.
std::vector<Statement> standings_at(const Analysis& analysis,
                                    const std::vector<std::string>& arms) {
  const std::vector<std::string> measured = measured_arms(analysis);
  const Bound floor = *floor_of(analysis, analysis.arm(arms.front()), analysis.primary);
  std::vector<std::string> below, open;  // surely below the floor, and not shown to be above it
  for (const std::string& name : arms)
    (is_below(analysis, name, measured.size()) ? below : open).push_back(name);
  std::vector<Statement> statements;
  const auto state = [&](const std::vector<std::string>& said, const std::string& who,
                         const char* test) {
    statements.push_back(
        {.text = fmt::format("In {}, {} {}.", analysis.metric_label(analysis.primary), who,
                             words_of(floor.kind)),
         .query = gains_of(analysis, said, test),
         .basis = fmt::format("Floor: {}; {}.", floor_labels(analysis, floor), test)});
  };
  if (!open.empty())
    state(open, none_beats(analysis, open, measured),
          "95 % t-interval of the improvement over the floor, over seeds");
  if (!below.empty())
    state(
        below, all_worse(analysis, below, measured),
        "t-interval of the improvement over the floor, over seeds, at a level that all arms share");
  return statements;
}

}  // namespace

std::vector<Statement> floor_standings(const Analysis& analysis) {
  std::map<std::string, std::vector<std::string>> by_floor;  // arms, by the text of the floor
  for (const std::string& name : arms_at_floor(analysis))
    by_floor[floor_of(analysis, analysis.arm(name), analysis.primary)->text()].push_back(name);
  std::vector<Statement> statements;
  for (const auto& [floor, arms] : by_floor)
    std::ranges::move(standings_at(analysis, arms), std::back_inserter(statements));
  return statements;
}

std::vector<Statement> floor_statements(const Analysis& analysis) {
  std::vector<Statement> statements = floor_standings(analysis);
  if (statements.empty()) return statements;
  if (analysis.none_above_floor)
    statements.front().text.replace(0, std::string_view("In").size(), "No answer: in");
  std::vector<Statement> more = forecast(analysis, arms_at_floor(analysis));
  if (more.empty() && analysis.none_above_floor) more.push_back(advice(analysis));
  std::ranges::move(more, std::back_inserter(statements));
  return statements;
}

}  // namespace ablate::reports
