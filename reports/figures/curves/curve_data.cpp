#include "reports/figures/curves/curve_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "harness/contract/metrics/metric.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxPoints = 200;

bool drawable(const store::CurvePoint& point) {
  return std::isfinite(point.loss) && std::isfinite(point.text_tokens);
}

/// The steps at the points of which a trial of the arm spiked.
std::set<std::int64_t> spiked_steps(const ArmResult& arm) {
  std::set<std::int64_t> steps;
  for (const store::TrialRecord* trial : arm.trials)
    for (const store::CurvePoint& point : trial->curve.points())
      if (drawable(point) && point.spike) steps.insert(point.step);
  if (steps.size() > kMaxPoints) steps.clear();  // marks everywhere say nothing
  return steps;
}

/// The steps at which a trial of the arm has a point.
std::vector<std::int64_t> steps_of(const ArmResult& arm) {
  std::vector<std::int64_t> steps;
  for (const store::TrialRecord* trial : arm.trials) {
    std::vector<std::int64_t> own, all;
    for (const store::CurvePoint& point : trial->curve.points())
      if (drawable(point)) own.push_back(point.step);
    if (own == steps) continue;
    std::set_union(steps.begin(), steps.end(), own.begin(), own.end(), std::back_inserter(all));
    steps = std::move(all);
  }
  return steps;
}

/// Fewer steps: at equal distances, the last, and those of spikes.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& steps,
                                  const std::set<std::int64_t>& spikes) {
  const std::size_t stride = steps.size() / kMaxPoints + 1;
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (i % stride == 0 || i + 1 == steps.size() || spikes.contains(steps[i]))
      kept.push_back(steps[i]);
  return kept;
}

/// The points of the arm's trials at a step.
std::vector<store::CurvePoint> points_at(const ArmResult& arm, std::int64_t step) {
  std::vector<store::CurvePoint> points;
  for (const store::TrialRecord* trial : arm.trials)
    if (const auto point = trial->curve.at_step(step); point && drawable(*point))
      points.push_back(*point);
  return points;
}

}  // namespace

std::vector<CurveBand> curve_bands(const ArmResult& arm) {
  std::vector<CurveBand> bands;
  const std::set<std::int64_t> spikes = spiked_steps(arm);
  for (const std::int64_t step : thinned(steps_of(arm), spikes)) {
    const std::vector<store::CurvePoint> points = points_at(arm, step);
    std::vector<double> losses;
    losses.reserve(points.size());
    for (const store::CurvePoint& point : points) losses.push_back(point.loss);
    const auto [low, high] = std::minmax_element(losses.begin(), losses.end());
    bands.push_back({step, points.front().text_tokens, statistics::mean(losses), *low, *high,
                     spikes.contains(step)});
  }
  return bands;
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
