#include "reports/analysis/comparisons/noise.h"

#include <algorithm>
#include <numbers>

#include "harness/statistics/one_sample/deviation_interval.h"
#include "harness/statistics/paired/effect_size.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

std::optional<SeedSpread> spread(const std::string& arm, const std::string& metric, bool paired,
                                 const Estimate& estimate) {
  if (estimate.n < 2) return std::nullopt;
  const std::vector<double> values = present_values(estimate);
  return SeedSpread{.arm = arm,
                    .metric = metric,
                    .paired = paired,
                    .n = estimate.n,
                    .mean = *estimate.mean,
                    .deviation = statistics::deviation(values),
                    .interval = statistics::deviation_interval(values),
                    .variance_ratio = std::nullopt};
}

/// The values of a metric at the seeds at which a difference has one.
std::vector<double> values_at(const Estimate& difference, const ArmResult& arm,
                              const std::string& metric, const ArmResult& of) {
  std::vector<double> values;
  for (std::size_t i = 0; i < difference.values.size(); ++i) {
    if (!difference.values[i]) continue;
    for (std::size_t j = 0; j < of.trials.size(); ++j)
      if (of.trials[j]->seed == arm.trials[i]->seed)
        values.push_back(*of.metrics.at(metric).values[j]);
  }
  return values;
}

}  // namespace

std::vector<SeedSpread> spreads_of(const Analysis& analysis) {
  std::vector<SeedSpread> spreads;
  const ArmResult* baseline = analysis.baseline();
  for (const MetricRow& metric : analysis.metrics) {
    for (const ArmResult& arm : analysis.arms)
      if (const auto found = arm.metrics.find(metric.name); found != arm.metrics.end())
        if (auto own = spread(arm.name, metric.name, false, found->second))
          spreads.push_back(std::move(*own));
    for (const ArmResult& arm : analysis.arms) {
      const Difference* difference = analysis.difference(arm.name, metric.name);
      if (difference == nullptr) continue;
      auto paired = spread(arm.name, metric.name, true, difference->over_seeds);
      if (!paired) continue;
      const Estimate& seen = difference->over_seeds;
      paired->variance_ratio = statistics::variance_ratio_of_pairing(
          values_at(seen, arm, metric.name, arm), values_at(seen, arm, metric.name, *baseline));
      spreads.push_back(std::move(*paired));
    }
  }
  return spreads;
}

std::optional<SeedSpread> spread_of_difference(const std::vector<SeedSpread>& spreads,
                                               const std::string& arm, const std::string& baseline,
                                               const std::string& metric) {
  const auto measured = [&](const std::string& name, bool paired) {
    return std::find_if(spreads.begin(), spreads.end(), [&](const SeedSpread& each) {
      return each.metric == metric && each.arm == name && each.paired == paired;
    });
  };
  if (const auto paired = measured(arm, true); paired != spreads.end()) return *paired;
  const auto single = measured(baseline, false);
  if (single == spreads.end()) return std::nullopt;
  SeedSpread independent = *single;
  independent.deviation *= std::numbers::sqrt2;
  independent.interval.low *= std::numbers::sqrt2;
  independent.interval.high *= std::numbers::sqrt2;
  return independent;
}

}  // namespace ablate::reports
