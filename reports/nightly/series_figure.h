// A benchmark or metric night by night, drawn.

#pragma once

#include "harness/nightly/history.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// The series by night: speed with its quartiles, a metric with the baseline's. Dotted lines stand
/// where it took a step, dashed ones where another pin became the baseline. Requires: values.
Figure series_figure(const nightly::History& history, const nightly::SeriesHistory& series);

}  // namespace ablate::reports
