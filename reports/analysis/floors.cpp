#include "reports/analysis/floors.h"

#include <algorithm>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::reports {

std::optional<Bound> floor_of(const ArmResult& arm, const std::string& metric) {
  const auto measured = [&](const auto& term) { return arm.metrics.contains(term.first); };
  for (const Bound& bound : bounds_of(metric))
    if (bound.floor && std::all_of(bound.terms.begin(), bound.terms.end(), measured)) return bound;
  return std::nullopt;
}

Estimate above_floor(const Analysis& analysis, const ArmResult& arm) {
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const auto measured = arm.metrics.find(analysis.primary);
  const std::optional<Bound> floor = floor_of(arm, analysis.primary);
  if (metric == nullptr || metric->better == Better::neither || !floor ||
      measured == arm.metrics.end())
    return estimate({});
  const double sign = metric->better == Better::higher ? 1 : -1;
  std::vector<std::optional<double>> gains;
  for (std::size_t i = 0; i < measured->second.values.size(); ++i) {
    std::optional<double> gain = measured->second.values[i];
    for (const auto& [name, factor] : floor->terms) {
      const std::optional<double> term = arm.metrics.at(name).values[i];
      gain = gain && term ? std::optional(statistics::difference(*gain, factor * *term))
                          : std::nullopt;
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

}  // namespace ablate::reports
