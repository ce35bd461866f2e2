// The pages over all nights: one list of them, and one page for each series.

#pragma once

#include <vector>

#include "harness/nightly/history.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// index.html, with every night, every step, every change of an exact series and every series, and
/// series/NAME-HASH.MACHINE.html for each series on each machine. They link to
/// nights/NIGHT/index.html.
std::vector<ReportFile> history_files(const nightly::History& history);

}  // namespace ablate::reports
