// The pages over all nights: one list of them, and one page for each benchmark.

#pragma once

#include <vector>

#include "harness/nightly/history.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// index.html, with every night, every step and every benchmark, and series/NAME.html for each
/// benchmark on each machine. They link to nights/NIGHT/index.html.
std::vector<ReportFile> history_files(const nightly::History& history);

}  // namespace ablate::reports
