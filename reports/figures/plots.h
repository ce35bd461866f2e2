// Small parts of plots.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/plot.h"

namespace ablate::reports {

/// "held-out excess ↓ (nats/target)"
std::string heading_of(const MetricRow& metric);

/// "held-out excess (nats/target)"
std::string with_unit(const MetricRow& metric);

/// An axis over these numbers: logarithmic where they span more than a decade.
PlotAxis axis_over(const std::string& title, const std::vector<double>& values);

/// A mark at each of the numbers.
std::vector<AxisMark> marks_at(std::vector<double> values);

/// The values that are drawn as dots: all of an estimate or, of more than 100, 100 that are evenly
/// spaced by rank, the smallest and the largest among them.
std::vector<double> dots_of(const Estimate& seen);

/// A sentence for the caption of dots, with a space before it, if an estimate has `most` values; empty
/// where all are drawn.
std::string dots_note(std::int64_t most);

}  // namespace ablate::reports
