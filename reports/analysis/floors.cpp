#include "reports/analysis/floors.h"

#include <algorithm>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"

namespace ablate::reports {

namespace {

std::optional<double> value_in(const ArmResult& arm, const std::string& metric, std::size_t trial) {
  return arm.metrics.at(metric).values[trial];
}

/// What a trial gains on the floor, where both are known: upwards positive.
std::optional<double> gain_of(const ArmResult& arm, const std::string& metric, const Bound& floor,
                              std::size_t trial) {
  const std::optional<double> measured = value_in(arm, metric, trial);
  double sum = floor.constant;
  for (const auto& [name, factor] : floor.terms) {
    const std::optional<double> term = value_in(arm, name, trial);
    if (!term) return std::nullopt;
    sum += factor * *term;
  }
  if (!measured) return std::nullopt;
  if (floor.conversion == Conversion::exponential) sum = std::exp(sum);
  if (floor.conversion == Conversion::per_byte) {
    const std::optional<double> loss = value_in(arm, floor.per, trial);
    if (!loss || *loss == 0) return std::nullopt;
    sum *= *measured / *loss;
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return statistics::difference(*measured, sum);
}

}  // namespace

std::vector<Bound> bounds_of(const MetricRow& metric) {
  std::vector<Bound> all;
  for (const auto& [arm, bounds] : metric.bounds) {
    auto place = all.begin();  // after the bound before, so that every arm's order is kept
    for (const Bound& bound : bounds) {
      const auto known = std::ranges::find(all, bound);
      place = (known == all.end() ? all.insert(place, bound) : known) + 1;
    }
  }
  return all;
}

std::optional<Bound> floor_of(const Analysis& analysis, const ArmResult& arm,
                              const std::string& metric) {
  const MetricRow* const row = analysis.metric(metric);
  if (row == nullptr) return std::nullopt;
  const auto own = row->bounds.find(arm.name);
  if (own == row->bounds.end()) return std::nullopt;
  for (const Bound& bound : own->second) {
    const std::vector<std::string> names = bound.metrics();
    const bool measured = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return arm.metrics.contains(name);
    });
    if (bound.is_floor() && measured) return bound;
  }
  return std::nullopt;
}

Estimate above_floor(const Analysis& analysis, const ArmResult& arm) {
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const auto measured = arm.metrics.find(analysis.primary);
  const std::optional<Bound> floor = floor_of(analysis, arm, analysis.primary);
  if (metric == nullptr || metric->better == Better::neither || !floor ||
      measured == arm.metrics.end())
    return estimate({});
  const double sign = metric->better == Better::higher ? 1 : -1;
  std::vector<std::optional<double>> gains;
  for (std::size_t i = 0; i < measured->second.values.size(); ++i) {
    std::optional<double> gain = gain_of(arm, analysis.primary, *floor, i);
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

std::vector<std::string> measured_arms(const Analysis& analysis) {
  std::vector<std::string> measured;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(analysis.primary);
    if (found != arm.metrics.end() && found->second.mean) measured.push_back(arm.name);
  }
  return measured;
}

bool none_above_floor(const Analysis& analysis) {
  const ArmResult* const baseline = analysis.baseline();
  const auto has_ended = [](const ArmResult& arm) { return !arm.pending(); };
  const std::vector<std::string> measured = measured_arms(analysis);
  const bool complete = std::ranges::all_of(analysis.arms, has_ended) && baseline != nullptr &&
                        std::ranges::find(measured, baseline->name) != measured.end();
  return complete && arms_at_floor(analysis).size() == measured.size();
}

}  // namespace ablate::reports
