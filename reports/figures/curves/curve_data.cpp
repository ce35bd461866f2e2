#include "reports/figures/curves/curve_data.h"

#include <algorithm>
#include <cmath>

#include "harness/contract/metric.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxPoints = 200;

std::vector<CurveBand> thinned(const std::vector<CurveBand>& bands) {
  const std::size_t stride = bands.size() / kMaxPoints + 1;
  std::vector<CurveBand> kept;
  for (std::size_t i = 0; i < bands.size(); ++i)
    if (i % stride == 0 || i + 1 == bands.size()) kept.push_back(bands[i]);
  return kept;
}

}  // namespace

std::vector<CurveBand> curve_bands(const ArmResult& arm) {
  std::map<std::int64_t, std::vector<const store::CurvePoint*>> by_step;
  for (const store::TrialRecord* trial : arm.trials)
    for (const store::CurvePoint& point : trial->curve)
      if (std::isfinite(point.loss) && std::isfinite(point.text_tokens))
        by_step[point.step].push_back(&point);
  std::vector<CurveBand> bands;
  for (const auto& [step, points] : by_step) {
    std::vector<double> losses;
    for (const store::CurvePoint* point : points) losses.push_back(point->loss);
    const auto [low, high] = std::minmax_element(losses.begin(), losses.end());
    bands.push_back({step, points.front()->text_tokens, statistics::mean(losses), *low, *high});
  }
  return thinned(bands);
}

std::vector<std::vector<std::size_t>> curve_panels(const Analysis& analysis) {
  std::vector<std::vector<std::size_t>> panels;
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const auto fits = [&](const std::vector<std::size_t>& panel) {
      return comparable_arms(Comparable::same_objective, analysis.arms[i],
                             analysis.arms[panel.front()]);
    };
    const auto found = std::find_if(panels.begin(), panels.end(), fits);
    if (found == panels.end())
      panels.push_back({i});
    else
      found->push_back(i);
  }
  return panels;
}

std::vector<CurveLevel> curve_levels(const ArmResult& arm) {
  std::vector<CurveLevel> levels;
  const auto add = [&](std::string_view metric, std::string_view label, bool floor) {
    const auto found = arm.metrics.find(std::string(metric));
    if (found != arm.metrics.end() && found->second.mean)
      levels.push_back({label, *found->second.mean, floor});
  };
  add(metric_names::kHeldOutContextFree, "context-free floor", true);
  add(metric_names::kHeldOutOptimum, "optimum", false);
  return levels;
}

}  // namespace ablate::reports
