// A night as a page: the verdict, what to look at, and every series.

#pragma once

#include <vector>

#include "harness/nightly/gate.h"
#include "reports/formats/document.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The page of a night.
Document night_page(const nightly::Judged& judged);

/// The night in every form: index.html, gate.md (for the summary of a CI job), gate.xml (JUnit: one
/// test a series) and gate.json.
std::vector<ReportFile> night_files(const nightly::Judged& judged);

/// JUnit's XML: a regression is a failure; what is inconclusive or has no data is skipped, with its
/// reason.
std::string junit_xml(const nightly::Judged& judged);

}  // namespace ablate::reports
