// The page of one series over all nights.

#pragma once

#include "harness/nightly/history.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// A benchmark or a metric: its latest step, its values by night, its steps with the commits between
/// their sides, the pins that it was compared with, and its quarantine. Requires: values.
Document series_page(const nightly::History& history, const nightly::SeriesHistory& series);

/// An exact series: its verdict by night, and the nights at which its bits changed. Requires: nights.
Document exact_page(const nightly::History& history, const nightly::ExactHistory& series);

}  // namespace ablate::reports
