#include "reports/figures/sweeps/tuning_panels.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/figures/sweeps/sweep_plot.h"
#include "reports/tables/table.h"

namespace ablate::reports {
namespace {

const ArmResult* arm_named(const Analysis& analysis, const std::string& name) {
  const auto found = std::ranges::find(analysis.arms, name, &ArmResult::name);
  return found == analysis.arms.end() ? nullptr : &*found;
}

}  // namespace

TuningPanels rate_panels(const TuningRecord& record, const Analysis& analysis) {
  TuningPanels made;
  for (const ArmTuning& arm : record.arms) {
    SweepLine line{.name = arm.label};
    const ArmResult* const result = arm_named(analysis, arm.name);
    for (const RateTried& tried : arm.tried)
      if (tried.values.n == std::ssize(tried.values.values) && tried.values.mean)
        line.spots.push_back({tried.rate, result, &tried.values});
    if (result != nullptr && line.spots.size() > 1)
      made.panels.push_back(
          {.metric = &record.criterion, .parameter = "learning rate", .lines = {line}});
  }
  return made;
}

TuningPanels expected_best_panels(const TuningRecord& record, const Analysis& analysis) {
  TuningPanels made;
  const bool one = record.criterion.comparable_across == Comparable::all_arms;
  for (const ArmTuning& arm : record.arms) {
    const ArmResult* const result = arm_named(analysis, arm.name);
    if (result == nullptr) continue;
    SweepLine line{.name = arm.label};
    for (const double best : expected_best_of(record, arm)) {
      made.values.emplace_back().mean = best;
      line.spots.push_back(
          {static_cast<double>(line.spots.size() + 1), result, &made.values.back()});
    }
    if (line.spots.size() < 2) continue;
    if (made.panels.empty() || !one)
      made.panels.push_back({.metric = &record.criterion, .parameter = "learning rates tried"});
    made.panels.back().lines.push_back(std::move(line));
  }
  return made;
}

std::string expected_best_caption(const TuningRecord& record) {
  return fmt::format(
      "{} that the best of n learning rates is expected to have, by n: rates drawn with "
      "replacement "
      "from those tried. A rate at which a trial diverged counts as the loss at the beginning.",
      arrowed(record.criterion));
}

Figure expected_best_figure(const TuningRecord& record, const Analysis& analysis) {
  Figure figure{"expected-best", expected_best_caption(record), {}};
  const TuningPanels made = expected_best_panels(record, analysis);
  for (const SweepPanel& panel : made.panels)
    figure.panels.push_back(
        draw_sweep(panel, fmt::format("expected-best-{}", figure.panels.size())));
  return figure;
}

}  // namespace ablate::reports
