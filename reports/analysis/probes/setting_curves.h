// What probes measured along a setting of theirs: accuracy by learning rate, by training documents.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A point of a curve, over seeds.
struct SettingCurvePoint {
  double at = 0;
  Estimate over_seeds;  // by the arm's seeds
};

/// The curve of one arm and one metric.
struct SettingCurve {
  const MetricRow* metric = nullptr;  // that it explains
  const ArmResult* arm = nullptr;
  std::string along;                          // such as "learning rate"
  std::vector<SettingCurvePoint> points;      // ascending
  std::vector<std::optional<double>> chosen;  // by seed: the value whose result the metric is
};

/// A value that was chosen, and with how many seeds.
struct Chosen {
  double value = 0;
  std::int64_t seeds = 0;
  std::int64_t of = 0;  // seeds with a choice
};

/// The curves of all completed trials, by metric, then by arm. The result points into the analysis.
std::vector<SettingCurve> setting_curves(const Analysis& analysis);

/// The value that was chosen with most seeds, of equally frequent ones the smallest; nothing where
/// none was chosen. A mean of learning rates would say of none what it does.
std::optional<Chosen> most_chosen(const SettingCurve& curve);

/// By how much a value drawn from those tried is worse than the chosen one on average, by seed: the
/// sensitivity. Empty where none was chosen.
Estimate sensitivity_of(const SettingCurve& curve);

}  // namespace ablate::reports
