#include "reports/analysis/floors.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/bounds.h"
#include "reports/analysis/facts.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Values = std::vector<std::optional<double>>;

constexpr std::size_t kMaxRepeats = 4;  // a forecast for more seeds than that says little

/// The first floor of the metric that was measured on the arm.
std::optional<Bound> floor_of(const ArmResult& arm, const std::string& metric) {
  const auto measured = [&](const auto& term) { return arm.metrics.contains(term.first); };
  for (const Bound& bound : bounds_of(metric))
    if (bound.floor && std::all_of(bound.terms.begin(), bound.terms.end(), measured)) return bound;
  return std::nullopt;
}

/// "a, b", or "all arms but c" where that is shorter. Requires: `names` are among `all`.
std::string listed_arms(const Analysis& analysis, const std::vector<std::string>& names,
                        const std::vector<std::string>& all) {
  const bool most = names.size() > 2 && 2 * names.size() > all.size();
  std::vector<std::string> labels;
  for (const std::string& name : all)
    if ((std::find(names.begin(), names.end(), name) == names.end()) == most)
      labels.push_back(analysis.label(name));
  return fmt::format("{}{}", most ? "all arms but " : "", fmt::join(labels, ", "));
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

/// "If further seeds are like these, 12 in all would show a gain of mlm." Empty where that cannot be
/// said.
std::string forecast(const Analysis& analysis, const std::vector<std::string>& at_floor) {
  std::int64_t seeds = 0;
  std::vector<std::string> labels;
  for (const ArmResult& arm : analysis.arms) {
    if (std::find(at_floor.begin(), at_floor.end(), arm.name) == at_floor.end()) continue;
    const auto needed = seeds_to_show(above_floor(analysis, arm));
    if (!needed) continue;
    seeds = std::max(seeds, *needed);
    labels.push_back(arm.label);
  }
  if (labels.empty()) return "";
  return fmt::format(" If further seeds are like these, {} in all would show a gain of {}.", seeds,
                     fmt::join(labels, ", "));
}

/// What a floor is: "the untrained model" for topic.untrained, or else "the floor".
std::string floor_words(const std::string& floor) {
  return floor.ends_with(".untrained") ? "the untrained model" : "the floor";
}

/// "Train longer than 8.19 k tokens of text": the most that an arm has read, where that is known.
std::string longer(const Analysis& analysis) {
  double tokens = 0;
  for (const ArmResult& arm : analysis.arms)
    for (const Json& ledger : completed_ledgers(arm))
      if (const auto read = ledger.find("text_tokens"); read != ledger.end() && read->is_number())
        tokens = std::max(tokens, read->get<double>());
  return tokens > 0 ? fmt::format("Train longer than {} tokens of text", amount(tokens))
                    : "Train longer";
}

}  // namespace

Estimate above_floor(const Analysis& analysis, const ArmResult& arm) {
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const auto measured = arm.metrics.find(analysis.primary);
  const std::optional<Bound> floor = floor_of(arm, analysis.primary);
  if (metric == nullptr || metric->better == Better::neither || !floor ||
      measured == arm.metrics.end())
    return estimate({});
  const double sign = metric->better == Better::higher ? 1 : -1;
  Values gains;
  for (std::size_t i = 0; i < measured->second.values.size(); ++i) {
    std::optional<double> gain = measured->second.values[i];
    for (const auto& [name, factor] : floor->terms) {
      const std::optional<double> term = arm.metrics.at(name).values[i];
      gain = gain && term ? std::optional(*gain - factor * *term) : std::nullopt;
    }
    if (gain) *gain *= sign;
    gains.push_back(gain);
  }
  return estimate(std::move(gains));
}

std::vector<std::string> arms_at_floor(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const ArmResult& arm : analysis.arms) {
    const Estimate gain = above_floor(analysis, arm);
    if (gain.interval && gain.interval->low <= 0) names.push_back(arm.name);
  }
  return names;
}

std::string floor_sentence(const Analysis& analysis) {
  const std::vector<std::string> at_floor = arms_at_floor(analysis);
  if (at_floor.empty()) return "";
  std::vector<std::string> measured;
  std::string floor;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(analysis.primary);
    if (found == arm.metrics.end() || !found->second.mean) continue;
    measured.push_back(arm.name);
    if (arm.name == at_floor.front()) floor = floor_of(arm, analysis.primary)->text();
  }
  if (at_floor.size() == measured.size())
    return fmt::format(
        "Nothing was learned that {} shows: no arm's gain on its floor, {}, has a 95 % interval "
        "above 0. {}, or choose another primary metric.{}",
        analysis.primary, floor, longer(analysis), forecast(analysis, at_floor));
  return fmt::format("In {}, {} {} no better than {} ({}).{}", analysis.primary,
                     listed_arms(analysis, at_floor, measured), at_floor.size() == 1 ? "is" : "are",
                     floor_words(floor), floor, forecast(analysis, at_floor));
}

}  // namespace ablate::reports
