// A whole report in one file, to be handed in beside a paper.

#pragma once

#include <string>
#include <vector>

#include "harness/store/index/records.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// "report.zip": the files in the folder report/, and beside it plan.json, the frozen plan;
/// experiment.json, the experiment file, with what it extends in experiment/; settings.json, every setting of every arm,
/// resolved; and JOURNALS.sha256, the hash of each trial's journal, for `sha256sum -c` in the results
/// folder. Sorted by name and dated 1980, so
/// that the same records make the same bytes.
ReportFile report_archive(const store::Records& records, const std::vector<ReportFile>& files);

}  // namespace ablate::reports
