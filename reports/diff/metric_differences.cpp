#include "reports/diff/metric_differences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/contract/metrics/metric.h"

namespace ablate::reports {
namespace {

using store::TrialRecord;

/// Whether a clock measured the metric, which no two runs give alike.
bool is_timed_metric(const Analysis& analysis, const std::string& name) {
  const MetricRow* const row = analysis.metric(name);
  return row != nullptr && is_timed(row->unit);
}

/// The range of a metric's finite values in both folders, by metric.
std::map<std::string, double> ranges_of(const std::vector<TrialPair>& pairs) {
  std::map<std::string, std::pair<double, double>> ends;
  for (const TrialPair& pair : pairs)
    for (const TrialRecord* trial : {pair.first, pair.second})
      for (const auto& [metric, value] : trial->metrics) {
        if (!std::isfinite(value)) continue;
        auto& [low, high] = ends.try_emplace(metric, value, value).first->second;
        low = std::min(low, value);
        high = std::max(high, value);
      }
  std::map<std::string, double> ranges;
  for (const auto& [metric, both] : ends) ranges[metric] = both.second - both.first;
  return ranges;
}

/// A metric of an arm while its trials are gathered.
struct GatheredMetric {
  std::vector<std::optional<double>> differences;
  std::int64_t equal = 0;
  bool finite_in_one = false;
};

using GatheredMetrics = std::map<std::pair<std::string, std::string>, GatheredMetric>;

GatheredMetrics gathered(const std::vector<TrialPair>& pairs) {
  GatheredMetrics metrics;
  for (const auto& [first, second] : pairs)
    for (const auto& [name, before] : first->metrics) {
      const auto found = second->metrics.find(name);
      if (found == second->metrics.end()) continue;
      const double after = found->second;
      GatheredMetric& metric = metrics[{first->arm, name}];
      const bool finite = std::isfinite(before) && std::isfinite(after);
      metric.differences.push_back(finite ? std::optional(after - before) : std::nullopt);
      if (same_bits(before, after))
        ++metric.equal;
      else if (!finite)
        metric.finite_in_one = true;
    }
  return metrics;
}

/// Compares what was measured on the way, after the same steps.
void compare_points(const TrialPair& pair, const Analysis& analysis, ComparedMetrics& compared) {
  for (const auto& [at, metrics] : pair.first->on_the_way) {
    const auto& others = pair.second->on_the_way;
    const auto same_step = [step = at.step](const auto& each) { return each.at.step == step; };
    const auto other = std::find_if(others.begin(), others.end(), same_step);
    if (other == others.end()) continue;
    for (const auto& [name, value] : metrics) {
      const auto found = other->metrics.find(name);
      if (found == other->metrics.end() || is_timed_metric(analysis, name)) continue;
      ++compared.points;
      compared.equal_points += same_bits(value, found->second) ? 1 : 0;
    }
  }
}

}  // namespace

ComparedMetrics compare_metrics(const std::vector<TrialPair>& pairs, const Analysis& analysis) {
  ComparedMetrics compared;
  for (const TrialPair& pair : pairs) compare_points(pair, analysis, compared);
  const auto ranges = ranges_of(pairs);
  for (auto& [place, metric] : gathered(pairs)) {
    const auto& [arm, name] = place;
    if (is_timed_metric(analysis, name)) continue;
    const auto count = static_cast<std::int64_t>(metric.differences.size());
    compared.values += count;
    compared.equal += metric.equal;
    if (metric.equal == count) continue;
    const MetricRow* row = analysis.metric(name);
    MetricDifference found{.arm = arm,
                           .metric = name,
                           .unit = row == nullptr ? "" : row->unit,
                           .over_seeds = estimate(std::move(metric.differences)),
                           .equal = metric.equal,
                           .pairs = count};
    const auto range = ranges.find(name);
    if (metric.finite_in_one)
      found.size = std::numeric_limits<double>::infinity();
    else if (found.over_seeds.mean && range != ranges.end() && range->second > 0)
      found.size = std::abs(*found.over_seeds.mean) / range->second;
    compared.differing.push_back(std::move(found));
  }
  std::stable_sort(
      compared.differing.begin(), compared.differing.end(),
      [](const MetricDifference& a, const MetricDifference& b) { return a.size > b.size; });
  return compared;
}

}  // namespace ablate::reports
