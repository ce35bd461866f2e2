// The metrics that a reader sees first.

#pragma once

#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// Up to four metrics beside the primary one, each of another subject than it and than one another
/// (held-out text, topics, generation ...), that have a better direction, that most arms have and
/// that may be compared across all arms.
std::vector<const MetricRow*> shared_metrics(const Analysis& analysis);

/// The primary metric, where one was declared and measured, and shared_metrics().
std::vector<const MetricRow*> headline_metrics(const Analysis& analysis);

}  // namespace ablate::reports
