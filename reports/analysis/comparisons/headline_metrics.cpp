#include "reports/analysis/comparisons/headline_metrics.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxShared = 4;  // next to the primary one: the width of a page

/// What a metric is about: the part of its name before the dot.
std::string_view subject_of(const MetricRow& metric) {
  return std::string_view(metric.name).substr(0, metric.name.find('.'));
}

/// Whether the baseline and most arms have the metric.
bool most_have(const Analysis& analysis, const std::string& metric) {
  const ArmResult* const baseline = analysis.baseline();
  if (baseline != nullptr && !baseline->metrics.contains(metric)) return false;
  const auto has = [&](const ArmResult& arm) { return arm.metrics.contains(metric); };
  return 2 * std::count_if(analysis.arms.begin(), analysis.arms.end(), has) >
         std::ssize(analysis.arms);
}

}  // namespace

std::vector<const MetricRow*> shared_metrics(const Analysis& analysis) {
  const MetricRow* const primary = analysis.metric(analysis.primary);
  std::set<std::string_view>
      shown;  // subjects: one metric of each, so that none crowds out another
  if (primary != nullptr) shown.insert(subject_of(*primary));
  std::vector<const MetricRow*> result;
  for (const MetricRow& metric : analysis.metrics) {
    const bool fits = metric.comparable_across == Comparable::all_arms &&
                      metric.better != Better::neither && metric.name != analysis.primary;
    if (!fits || !most_have(analysis, metric.name)) continue;
    if (result.size() < kMaxShared && shown.insert(subject_of(metric)).second)
      result.push_back(&metric);
  }
  return result;
}

std::vector<const MetricRow*> headline_metrics(const Analysis& analysis) {
  std::vector<const MetricRow*> metrics = shared_metrics(analysis);
  const MetricRow* const primary = analysis.metric(analysis.primary);
  if (primary != nullptr) metrics.insert(metrics.begin(), primary);
  return metrics;
}

}  // namespace ablate::reports
