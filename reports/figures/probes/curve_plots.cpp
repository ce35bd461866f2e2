#include "reports/figures/probes/curve_plots.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/compare.h"
#include "reports/figures/sweeps/sweep_plot.h"

namespace ablate::reports {
namespace {

SweepLine line_of(const SettingCurve& curve) {
  SweepLine line{.name = curve.arm->label};
  for (const SettingCurvePoint& point : curve.points)
    if (point.over_seeds.mean) line.spots.push_back({point.at, curve.arm, &point.over_seeds});
  return line;
}

}  // namespace

std::vector<SweepPanel> curve_panels(const std::vector<SettingCurve>& curves,
                                     const std::vector<const MetricRow*>& metrics) {
  std::vector<SweepPanel> panels;
  for (const SettingCurve& curve : curves) {
    SweepLine line = line_of(curve);
    if (std::ranges::find(metrics, curve.metric) == metrics.end() || line.spots.size() < 2 ||
        curve.metric->better == Better::neither)
      continue;
    const auto shares = [&](const SweepPanel& panel) {
      return panel.metric == curve.metric && panel.parameter == curve.along &&
             comparable_arms(curve.metric->comparable_across, *curve.arm,
                             *panel.lines.front().spots.front().arm);
    };
    auto panel = std::find_if(panels.begin(), panels.end(), shares);
    if (panel == panels.end())
      panel = panels.insert(panel, {.metric = curve.metric, .parameter = curve.along});
    panel->lines.push_back(std::move(line));
  }
  return panels;
}

Figure curve_plots(const std::vector<SettingCurve>& curves, const std::string& group,
                   const std::vector<const MetricRow*>& metrics) {
  Figure figure{
      fmt::format("along-{}", group),
      "Along a setting of the probe: the line is the mean over seeds, the band its 95 % "
      "t-interval, dots are seeds. By learning rate, what was measured on the development split, "
      "by which one is chosen; by layer and by training documents, the metric on the test split.",
      {}};
  for (const SweepPanel& panel : curve_panels(curves, metrics))
    figure.panels.push_back(
        draw_sweep(panel, fmt::format("{}-{}", figure.name, figure.panels.size())));
  return figure;
}

}  // namespace ablate::reports
