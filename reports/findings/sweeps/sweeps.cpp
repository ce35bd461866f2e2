// Metrics by the number that arms sweep over.

#include <algorithm>

#include "harness/statistics/one_sample/summary.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/comparisons/headline_metrics.h"
#include "reports/analysis/sweeps/sweeps.h"
#include "reports/figures/sweeps/sweep_panels.h"
#include "reports/findings/finding.h"

namespace ablate::reports {
namespace {

constexpr double kBandLevel = 0.05;  // of a line's band

/// The arm's values of the metric; null where it has none.
const Estimate* values_of(const ArmResult& arm, const MetricRow& metric) {
  const auto found = arm.metrics.find(metric.name);
  return found != arm.metrics.end() && found->second.mean ? &found->second : nullptr;
}

/// A line whose band covers all of its means at once in 95 % of experiments: by Bonferroni's
/// inequality, a t-interval of the level 5 % / values at each.
SweepLine line_of(const SweptFamily& family, const MetricRow& metric) {
  SweepLine line{.name = family.name};
  for (const SweptArm& swept : family.arms)
    if (const Estimate* seen = values_of(*swept.arm, metric))
      line.spots.push_back({swept.value, swept.arm, *seen});
  const double level =
      kBandLevel / static_cast<double>(std::max<std::size_t>(line.spots.size(), 1));
  for (SweepSpot& spot : line.spots)
    spot.band = statistics::t_interval(present_values(spot.seen), level);
  return line;
}

/// Whether all values of a line may be compared with those of an arm.
bool fits(const SweepLine& line, const MetricRow& metric, const ArmResult& arm) {
  return std::ranges::all_of(line.spots, [&](const SweepSpot& spot) {
    return comparable_arms(metric.comparable_across, *spot.arm, arm);
  });
}

void set_baseline(const Analysis& analysis, SweepPanel& panel) {
  const ArmResult* const baseline = analysis.baseline();
  if (baseline == nullptr || !fits(panel.lines.front(), panel.metric, *baseline)) return;
  const Estimate* const level = values_of(*baseline, panel.metric);
  if (level == nullptr) return;
  panel.baseline = baseline;
  panel.level = *level;
}

/// One panel for each sweep over a number, each headline metric, and each set of families whose values
/// may be compared.
std::vector<SweepPanel> panels_of(const Analysis& analysis) {
  std::vector<SweepPanel> all;
  for (const NumberSweep& sweep : number_sweeps(analysis))
    for (const MetricRow* metric : headline_metrics(analysis)) {
      std::vector<SweepPanel> panels;
      for (const SweptFamily& family : sweep.families) {
        SweepLine line = line_of(family, *metric);
        if (line.spots.size() < 2 || !fits(line, *metric, *line.spots.front().arm)) continue;
        add_line(panels, {.metric = *metric, .parameter = sweep.parameter, .together = true},
                 std::move(line));
      }
      for (SweepPanel& panel : panels) {
        set_baseline(analysis, panel);
        all.push_back(std::move(panel));
      }
    }
  return all;
}

}  // namespace

Finding find_sweeps(const Study& study) {
  Finding finding;
  finding.add("result",
              sweep_figure("sweep",
                           "Metrics by the number that arms sweep over: the line is the mean over "
                           "seeds, the band covers all means of a line at once with 95 % "
                           "(t-intervals, Bonferroni), dots are seeds; dotted, the mean of the "
                           "baseline, which is a diamond where it is part of the sweep.",
                           panels_of(study.analysis), "dose"));
  return finding;
}

}  // namespace ablate::reports
