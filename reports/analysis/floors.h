// Which arms are not shown to be better than what needs no training: their differences mean little.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The bounds that any arm has of a metric, the best known first.
std::vector<Bound> bounds_of(const MetricRow& metric);

/// The first floor of a metric that was measured on the arm; empty where there is none.
std::optional<Bound> floor_of(const Analysis& analysis, const ArmResult& arm,
                              const std::string& metric);

/// An arm's primary metric less its floor, in the metric's better direction, by seed: the accuracy
/// of the untrained model, the loss without context. Empty where the metric has no floor.
Estimate above_floor(const Analysis& analysis, const ArmResult& arm);

/// The arms that have values of the primary metric.
std::vector<std::string> measured_arms(const Analysis& analysis);

/// The names of the arms whose primary metric is not above its floor: the 95 % t-interval of what
/// it gains reaches 0. An arm with fewer than two values is not judged.
std::vector<std::string> arms_at_floor(const Analysis& analysis);

/// Whether no arm is shown to be better than its floor, the baseline among them, and a trial of every arm has ended.
bool none_above_floor(const Analysis& analysis);

}  // namespace ablate::reports
