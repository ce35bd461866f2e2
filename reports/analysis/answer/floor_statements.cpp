#include "reports/analysis/answer/floor_statements.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/statistics/one_sample/summary.h"
#include "reports/analysis/facts.h"
#include "reports/analysis/floors.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxRepeats = 4;  // a forecast for more seeds than that says little

/// "a, b"; or "all arms but c" where that is shorter and c is shown to be better. Requires: `names` are
/// among `all`.
std::string listed_arms(const Analysis& analysis, const std::vector<std::string>& names,
                        const std::vector<std::string>& all) {
  const auto is_better = [&](const std::string& name) {
    const Estimate gain = above_floor(analysis, analysis.arm(name));
    return gain.interval && gain.interval->low > 0;
  };
  const auto better = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_better));
  const bool most = names.size() > 2 && 2 * names.size() > all.size() && better > 0 &&
                    names.size() + better == all.size();
  std::vector<std::string> labels;
  for (const std::string& name : all)
    if ((std::find(names.begin(), names.end(), name) == names.end()) == most)
      labels.push_back(analysis.label(name));
  return fmt::format("{}{}", most ? "all arms but " : "", listed(labels));
}

/// What a floor is: "the untrained model" for topic.untrained.
std::string_view floor_words(const std::string& floor) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"untrained", "the untrained model"},
      {"context_free", "a guess without context"},
      {"unigram", "a guess without context"},
      {"majority", "the most frequent answer"},
      {"chance", "chance"}};
  for (const auto& [part, words] : kWords)
    if (floor.find(part) != floor.npos) return words;
  return "its floor";
}

/// "topic accuracy, untrained model"; the constant of a floor that no metric measures.
std::string floor_labels(const Analysis& analysis, const Bound& floor) {
  std::string text;
  for (const auto& [metric, factor] : floor.terms)
    text += (text.empty() ? ""
             : factor < 0 ? ", minus "
                          : ", plus ") +
            analysis.metric(metric)->label;
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

/// "Train longer than 8.19 k tokens of text, or choose another primary metric.": the most that an arm
/// has read, where that is known.
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
  if (tokens == 0) return {"Train longer, or choose another primary metric."};
  query.sql =
      "SELECT arm, seed, json_extract(ledger, '$.text_tokens') FROM trial ORDER BY arm, seed";
  return {fmt::format("Train longer than {} tokens of text, or choose another primary metric.",
                      amount(tokens)),
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

}  // namespace

std::vector<Statement> floor_standings(const Analysis& analysis) {
  const std::vector<std::string> at_floor = arms_at_floor(analysis);
  if (at_floor.empty()) return {};
  const std::vector<std::string> measured = measured_arms(analysis);
  const Bound floor = *floor_of(analysis, analysis.arm(at_floor.front()), analysis.primary);
  std::vector<std::string> below, open;  // surely below the floor, and not shown to be above it
  for (const std::string& name : at_floor)
    (is_below(analysis, name, measured.size()) ? below : open).push_back(name);
  std::vector<Statement> statements;
  const auto state = [&](const std::vector<std::string>& arms, const char* standing,
                         const char* test) {
    if (arms.empty()) return;
    const bool all = arms.size() > 2 && arms.size() == measured.size();
    const std::string who = all ? fmt::format("all arms are {}", standing)
                                : fmt::format("{} {} {}", listed_arms(analysis, arms, measured),
                                              arms.size() == 1 ? "is" : "are", standing);
    // "all arms are not" may be read as "not all arms are".
    statements.push_back(
        {.text = fmt::format("In {}, {} than {}.", analysis.metric(analysis.primary)->label,
                             all && &arms == &open ? "no arm is shown to be better" : who,
                             floor_words(floor.text())),
         .query = gains_of(analysis, arms, test),
         .basis = fmt::format("Floor: {}; {}.", floor_labels(analysis, floor), test)});
  };
  state(open, "not shown to be better",
        "95 % t-interval of the improvement over the floor, over seeds");
  state(below, "worse",
        "t-interval of the improvement over the floor, over seeds, at a level that all arms share");
  return statements;
}

std::vector<Statement> floor_statements(const Analysis& analysis) {
  std::vector<Statement> statements = floor_standings(analysis);
  if (statements.empty()) return statements;
  if (nothing_learned(analysis)) statements.push_back(advice(analysis));
  for (Statement& more : forecast(analysis, arms_at_floor(analysis)))
    statements.push_back(std::move(more));
  return statements;
}

}  // namespace ablate::reports
