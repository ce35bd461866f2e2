#include "reports/analysis/answer/metric_range.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/compare.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

std::vector<const ArmResult*> measured(const Analysis& analysis, const std::string& metric) {
  std::vector<const ArmResult*> arms;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(metric);
    if (found != arm.metrics.end() && found->second.mean) arms.push_back(&arm);
  }
  return arms;
}

/// Whether two arms or more have values, which may be compared.
bool are_comparable(const Analysis& analysis, const MetricRow& metric) {
  const std::vector<const ArmResult*> arms = measured(analysis, metric.name);
  return arms.size() > 1 && std::ranges::all_of(arms, [&](const ArmResult* arm) {
           return comparable_arms(metric.comparable_across, *arms.front(), *arm);
         });
}

/// Three digits, with a true minus sign.
std::string digits(double value) {
  return value < 0 ? "−" + significant(-value, 3) : significant(value, 3);
}

}  // namespace

std::string metric_range(const Analysis& analysis, const std::vector<const MetricRow*>& metrics) {
  const MetricRow* told = nullptr;
  for (const MetricRow* metric : metrics) {
    if (metric->better == Better::neither || !are_comparable(analysis, *metric)) continue;
    if (told == nullptr || metric->name == analysis.primary) told = metric;
  }
  if (told == nullptr) return {};
  const auto mean = [&](const ArmResult* arm) { return *arm->metrics.at(told->name).mean; };
  const auto [least, most] = std::ranges::minmax(measured(analysis, told->name), {}, mean);
  return fmt::format("{} from {} ({}) to {} ({})", told->label, digits(mean(least)), least->label,
                     digits(mean(most)), most->label);
}

}  // namespace ablate::reports
