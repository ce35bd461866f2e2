#include "reports/analysis/sweeps/trends.h"

#include <algorithm>
#include <cmath>

#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/sweeps/trend.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/sweep_values.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kFewestValues = 3;
constexpr std::size_t kFewestSeeds = 2;

Contrast contrast_of(const Trend& trend, const std::vector<double>& places, std::size_t degree,
                     const std::vector<std::vector<double>>& by_place) {
  const std::vector<double> contrasts =
      statistics::contrast_by_seed(statistics::polynomial_contrast(places, degree), by_place);
  return {.over_seeds = estimate_of(contrasts),
          .p = statistics::sign_flip_p(contrasts),
          .carried_by = carrying_value(trend.values, places, degree, by_place)};
}

bool is_declared(const Analysis& analysis, const Trend& trend, std::size_t degree) {
  return std::any_of(analysis.declared_trends.begin(), analysis.declared_trends.end(),
                     [&](const TrendContrast& each) {
                       return each.along == trend.parameter && each.family == trend.family &&
                              each.metric == analysis.primary && each.degree == degree;
                     });
}

bool may_compare(const MetricRow& metric, const std::vector<const ArmResult*>& arms) {
  return std::all_of(arms.begin(), arms.end(), [&](const ArmResult* arm) {
    return comparable_arms(metric.comparable_across, *arms.front(), *arm);
  });
}

/// The trend of a family; empty where there is none to speak of.
std::optional<Trend> trend_of(const MetricRow& metric, const std::string& parameter,
                              const SweptFamily& family) {
  Trend trend{.parameter = parameter, .family = family.name};
  std::vector<const ArmResult*> arms;
  for (const SweptArm& swept : family.arms) {
    if (!trend.values.empty() && swept.value == trend.values.back()) return std::nullopt;
    trend.values.push_back(swept.value);
    arms.push_back(swept.arm);
  }
  if (arms.size() < kFewestValues || !may_compare(metric, arms)) return std::nullopt;
  const std::vector<std::vector<double>> by_place = complete_seeds(arms, metric.name);
  if (by_place.front().size() < kFewestSeeds) return std::nullopt;
  trend.doublings = statistics::spans_a_decade(trend.values.front(), trend.values.back());
  std::vector<double> places = trend.values;
  if (trend.doublings)
    for (double& place : places) place = std::log2(place);
  trend.linear = contrast_of(trend, places, 1, by_place);
  trend.quadratic = contrast_of(trend, places, 2, by_place);
  return trend;
}

}  // namespace

std::vector<Trend> trends_of(const Analysis& analysis) {
  std::vector<Trend> trends;
  const MetricRow* metric = analysis.metric(analysis.primary);
  if (metric == nullptr) return trends;
  for (const NumberSweep& sweep : number_sweeps(analysis))
    for (const SweptFamily& family : sweep.families)
      if (auto trend = trend_of(*metric, sweep.parameter, family)) {
        trend->linear.declared = is_declared(analysis, *trend, 1);
        trend->quadratic.declared = is_declared(analysis, *trend, 2);
        trends.push_back(std::move(*trend));
      }
  return trends;
}

}  // namespace ablate::reports
