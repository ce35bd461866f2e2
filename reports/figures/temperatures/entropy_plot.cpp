#include "reports/figures/temperatures/entropy_plot.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/compare.h"
#include "reports/figures/sweeps/sweep_plot.h"

namespace ablate::reports {
namespace {

SweepLine line_of(const EntropyCurve& curve) {
  SweepLine line{.name = curve.sampler.empty()
                             ? curve.arm->label
                             : fmt::format("{}, {}", curve.arm->label, curve.sampler)};
  for (const EntropyPoint& point : curve.points)
    line.spots.push_back({point.entropy, curve.arm, &point.quality});
  return line;
}

}  // namespace

std::vector<SweepPanel> entropy_panels(const std::vector<EntropyCurve>& curves) {
  std::vector<SweepPanel> panels;
  for (const EntropyCurve& curve : curves) {
    const auto shares = [&](const SweepPanel& panel) {
      return panel.metric == curve.metric &&
             comparable_arms(curve.metric->comparable_across, *curve.arm,
                             *panel.lines.front().spots.front().arm);
    };
    auto panel = std::find_if(panels.begin(), panels.end(), shares);
    if (panel == panels.end())
      panel = panels.insert(
          panel,
          {.metric = curve.metric, .parameter = "entropy of tokens (nats)", .measured = true});
    panel->lines.push_back(line_of(curve));
  }
  return panels;
}

Figure entropy_plots(const std::vector<EntropyCurve>& curves, std::string_view group) {
  Figure figure{
      fmt::format("entropy-{}", group),
      "Quality by the entropy of the drawn tokens, which the temperature moves: from the "
      "lowest temperature to the highest, the mean over seeds with its 95 % t-interval as "
      "a band; dots are seeds. At one entropy the higher quality is that of the better "
      "model or sampler; further left, texts are sharper and more alike.",
      {}};
  for (const SweepPanel& panel : entropy_panels(curves))
    if (panel.metric->name.starts_with(fmt::format("{}.", group)))
      figure.panels.push_back(
          draw_sweep(panel, fmt::format("{}-{}", figure.name, figure.panels.size())));
  return figure;
}

}  // namespace ablate::reports
