#include "reports/figures/sweeps/sweep_data.h"

#include <algorithm>

#include "harness/statistics/one_sample/summary.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/comparisons/headline_metrics.h"
#include "reports/analysis/sweeps/sweeps.h"

namespace ablate::reports {
namespace {

constexpr double kLevel = 0.05;  // of a line's band

const Estimate* values_of(const ArmResult& arm, const MetricRow& metric) {
  const auto found = arm.metrics.find(metric.name);
  return found != arm.metrics.end() && found->second.mean ? &found->second : nullptr;
}

SweepLine line_of(const SweptFamily& family, const MetricRow& metric) {
  SweepLine line{.name = family.name};
  for (const SweptArm& swept : family.arms)
    if (const Estimate* seen = values_of(*swept.arm, metric))
      line.spots.push_back({swept.value, swept.arm, seen});
  const double level = kLevel / static_cast<double>(std::max<std::size_t>(line.spots.size(), 1));
  for (SweepSpot& spot : line.spots)
    spot.band = statistics::t_interval(present_values(*spot.seen), level);
  return line;
}

/// Whether all values of a line may be compared with those of an arm.
bool fits(const SweepLine& line, const MetricRow& metric, const ArmResult& arm) {
  return std::all_of(line.spots.begin(), line.spots.end(), [&](const SweepSpot& spot) {
    return comparable_arms(metric.comparable_across, *spot.arm, arm);
  });
}

void set_baseline(const Analysis& analysis, const MetricRow& metric, SweepPanel& panel) {
  const ArmResult* const baseline = analysis.baseline();
  if (baseline == nullptr || !fits(panel.lines.front(), metric, *baseline)) return;
  panel.level = values_of(*baseline, metric);
  if (panel.level != nullptr) panel.baseline = baseline;
}

std::vector<SweepPanel> panels_of(const Analysis& analysis, const NumberSweep& sweep,
                                  const MetricRow& metric) {
  std::vector<SweepPanel> panels;
  for (const SweptFamily& family : sweep.families) {
    SweepLine line = line_of(family, metric);
    if (line.spots.size() < 2 || !fits(line, metric, *line.spots.front().arm)) continue;
    const auto shares = [&](const SweepPanel& panel) {
      return fits(line, metric, *panel.lines.front().spots.front().arm);
    };
    auto panel = std::find_if(panels.begin(), panels.end(), shares);
    if (panel == panels.end())
      panel = panels.insert(
          panel, SweepPanel{.metric = &metric, .parameter = sweep.parameter, .together = true});
    panel->lines.push_back(std::move(line));
  }
  for (SweepPanel& panel : panels) set_baseline(analysis, metric, panel);
  return panels;
}

}  // namespace

std::vector<SweepPanel> sweep_panels(const Analysis& analysis) {
  std::vector<SweepPanel> all;
  for (const NumberSweep& sweep : number_sweeps(analysis))
    for (const MetricRow* metric : headline_metrics(analysis))
      for (SweepPanel& panel : panels_of(analysis, sweep, *metric)) all.push_back(std::move(panel));
  return all;
}

}  // namespace ablate::reports
