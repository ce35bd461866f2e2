// The figures of a report, drawn from its analysis.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// Training loss by text tokens: the mean over seeds and the band from the least to the most, one
/// panel for each objective at one setting, since training losses may be set side by side within it
/// alone. No panels where nothing was recorded.
Figure training_curves(const Analysis& analysis);

/// Arm - baseline in the primary metric: each seed, the mean, its interval, and the smallest effect
/// of interest as a band. No panels without a primary metric.
Figure forest_plot(const Analysis& analysis);

/// The metrics of a group, one panel each: a dot a seed, the mean and its interval by arm. Metrics
/// of the same unit that have no direction (an optimum, a floor) stand in the others' panels as
/// diamonds.
Figure dot_plots(const Analysis& analysis, const std::string& group,
                 const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports
