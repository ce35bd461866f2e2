// Metrics by the tokens of text that training has read.

#pragma once

#include "reports/analysis/dynamics/courses.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// One panel for each metric that was measured on the way: the mean over seeds by tokens of text,
/// with its 95 % t-interval as a band, and the seeds. Arms share a panel if their values may be
/// compared. No panels where nothing was measured on the way.
Figure dynamics_plots(const std::vector<Course>& courses);

}  // namespace ablate::reports
