#include "harness/nightly/judge/paired_metric.h"

#include <cmath>

#include "harness/contract/metrics/metric.h"
#include "harness/nightly/judge/bits.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::nightly {

PairedMetric paired(const TrialsBySeed& before, const TrialsBySeed& now,
                    const std::string& metric) {
  PairedMetric paired;
  for (const auto& [seed, trial] : before) {
    const auto found = now.find(seed);
    const auto old_value = trial->metrics.find(metric);
    if (found == now.end() || old_value == trial->metrics.end() ||
        !std::isfinite(old_value->second))
      continue;
    const auto new_value = found->second->metrics.find(metric);
    if (new_value == found->second->metrics.end()) {
      paired.missing += found->second->outcome == "completed";  // else its outcome tells
      continue;
    }
    paired.same = paired.same && same_bits(old_value->second, new_value->second);
    if (!std::isfinite(new_value->second)) {
      ++paired.lost;
      continue;
    }
    paired.before.push_back(old_value->second);
    paired.now.push_back(new_value->second);
  }
  return paired;
}

Json values_of(const PairedMetric& paired, const store::StoredMetric& metric, double margin) {
  Json values = {{"better", name_of(metric.better)}, {"unit", metric.unit}};
  if (margin > 0) values["margin"] = margin;
  if (paired.now.empty()) return values;
  values["now"] = statistics::mean(paired.now);
  values["baseline"] = statistics::mean(paired.before);
  return values;
}

const store::StoredMetric* planned_metric(const store::StoredPlan& plan, const std::string& arm,
                                          const std::string& metric) {
  for (const store::StoredMetric& each : plan.metrics_of(arm))
    if (each.name == metric) return &each;
  return nullptr;
}

bool has_direction(const store::StoredMetric* metric) {
  return metric != nullptr && metric->better != Better::neither;
}

}  // namespace ablate::nightly
