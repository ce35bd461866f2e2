#include "reports/analysis/declared_trends.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/base/number_text.h"
#include "harness/plan/file/declared_trends.h"
#include "harness/statistics/sweeps/trend.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/looks.h"
#include "reports/analysis/sweep_values.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// The contrast of each seed of the first arm; empty where an arm has no value with it.
Estimate over_seeds(const std::vector<const ArmResult*>& arms, const std::string& metric,
                    const std::vector<double>& coefficients) {
  std::vector<std::optional<double>> contrasts;
  for (const store::TrialRecord* trial : arms.front()->trials) {
    std::vector<double> values;
    for (const ArmResult* arm : arms)
      if (const auto value = arm->value_at(metric, trial->seed)) values.push_back(*value);
    contrasts.push_back(values.size() == arms.size()
                            ? std::optional(statistics::contrast_of(coefficients, values))
                            : std::nullopt);
  }
  return estimate(std::move(contrasts));
}

/// Why a contrast has no verdict; empty where it has one.
std::string obstacle(const std::vector<const ArmResult*>& arms, const Estimate& contrast) {
  for (const ArmResult* arm : arms)
    if (arm->diverged != arms.front()->diverged)
      return "other numbers of trials diverged along it, so the remaining seeds are not a fair "
             "sample";
  return contrast.n < 2 ? "fewer than two seeds are complete along it" : "";
}

void test(const Analysis& analysis, const std::vector<const ArmResult*>& arms,
          TrendContrast& contrast) {
  std::vector<double> places = contrast.values;
  contrast.doublings = statistics::spans_a_decade(places.front(), places.back());
  if (contrast.doublings)
    for (double& place : places) place = std::log2(place);
  Estimate& seen = contrast.over_seeds;
  seen =
      over_seeds(arms, contrast.metric, statistics::polynomial_contrast(places, contrast.degree));
  contrast.note = obstacle(arms, seen);
  if (seen.n == 0) return;
  contrast.carried_by = carrying_value(contrast.values, places, contrast.degree,
                                       complete_seeds(arms, contrast.metric));
  contrast.p = sign_flip_p_of(analysis, seen);
  seen.interval = statistics::t_interval(present_values(seen), interval_level_of(analysis, seen));
}

TrendContrast contrast_of(const Analysis& analysis, const plan::DeclaredTrend& trend,
                          const plan::TrendFamily& family) {
  TrendContrast contrast{
      .along = trend.along, .family = family.entry, .metric = trend.metric, .degree = trend.degree};
  std::vector<const ArmResult*> arms;
  for (const plan::SweptValue& each : family.members) {
    contrast.values.push_back(each.value);
    arms.push_back(&analysis.arms[each.arm]);
  }
  test(analysis, arms, contrast);
  return contrast;
}

}  // namespace

std::vector<TrendContrast> trend_contrasts(const Json& declared, const Analysis& analysis) {
  std::vector<plan::NamedSections> arms;
  for (const ArmResult& arm : analysis.arms) arms.push_back({arm.name, &arm.config});
  std::vector<TrendContrast> contrasts;
  for (const plan::DeclaredTrend& trend : plan::declared_trends(declared)) {
    const std::vector<plan::TrendFamily> families = plan::families_of(trend, arms);
    for (const plan::TrendFamily& family : families)
      contrasts.push_back(contrast_of(analysis, trend, family));
    if (families.empty())
      contrasts.push_back({.along = trend.along,
                           .family = trend.of,
                           .metric = trend.metric,
                           .degree = trend.degree,
                           .note = "fewer than three of its arms are here"});
  }
  return contrasts;
}

bool shows_trend(const Analysis& analysis, const TrendContrast& contrast) {
  const auto& interval = contrast.over_seeds.interval;
  return contrast.note.empty() && contrast.p_adjusted && *contrast.p_adjusted < analysis.alpha &&
         interval && (interval->low > 0 || interval->high < 0);
}

std::string trend_verdict(const Analysis& analysis, const TrendContrast& contrast) {
  const std::int64_t n = contrast.over_seeds.n;
  if (shows_trend(analysis, contrast)) {
    const bool positive = *contrast.over_seeds.mean > 0;
    if (contrast.degree == 1) return positive ? "rises" : "falls";
    return positive ? "is convex" : "is concave";
  }
  const double least = smallest_p_of(analysis, n) * static_cast<double>(sharing(analysis));
  return n > 0 && contrast.note.empty() && least >= analysis.alpha
             ? fmt::format("not testable with {}", counted(n, "seed"))
             : "inconclusive";
}

std::string carrying_phrase(const CarryingValue& carrying) {
  return fmt::format("the value {}: without it the trend is {}", plain_number(carrying.value),
                     rounded(*carrying.without.mean, carrying.without.interval).text());
}

std::string shape_of(const TrendContrast& contrast) {
  return std::string(plan::kTrendShapes[contrast.degree - 1]);
}

}  // namespace ablate::reports
