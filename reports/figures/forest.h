// The forest plot: arm - baseline in the primary metric.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// Arm - baseline in the primary metric: each seed, the mean, its interval, and the smallest effect
/// of interest as a band. No plots without a primary metric that was measured.
Figure forest_plot(const Analysis& analysis);

}  // namespace ablate::reports
