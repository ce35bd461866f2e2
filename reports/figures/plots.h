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

}  // namespace ablate::reports
