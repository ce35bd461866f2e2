#include "reports/analysis/answer/metric_range.h"

#include <fmt/core.h>

#include <algorithm>

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

/// Three digits, with a true minus sign.
std::string digits(double value) {
  return value < 0 ? "−" + significant(-value, 3) : significant(value, 3);
}

}  // namespace

std::string metric_range(const Analysis& analysis, const std::vector<const MetricRow*>& metrics) {
  const MetricRow* told = nullptr;
  for (const MetricRow* metric : metrics) {
    const bool fits = metric->better != Better::neither &&
                      metric->comparable_across == Comparable::all_arms &&
                      measured(analysis, metric->name).size() > 1;
    if (metric->name == analysis.primary || (fits && told == nullptr)) told = metric;
    if (metric->name == analysis.primary) break;
  }
  if (told == nullptr) return {};
  const auto mean = [&](const ArmResult* arm) { return *arm->metrics.at(told->name).mean; };
  const std::vector<const ArmResult*> arms = measured(analysis, told->name);
  if (arms.size() < 2) return {};
  const auto [least, most] = std::ranges::minmax(arms, {}, mean);
  return fmt::format("{} from {} ({}) to {} ({})", told->label, digits(mean(least)), least->label,
                     digits(mean(most)), most->label);
}

}  // namespace ablate::reports
