// A night as a page: the verdict, what to look at, and every series.

#pragma once

#include <vector>

#include "harness/nightly/gate.h"
#include "reports/document/document.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The page of a night.
Document night_page(const nightly::Judged& judged);

/// What a series without a verdict is to who reads JUnit's XML alone.
enum class InconclusiveAs { error, skipped, failure };

/// The night in every form: index.html, gate.md (for the summary of a CI job), gate.xml (JUnit: one
/// test a series) and gate.json, which has a checksum.
std::vector<ReportFile> night_files(const nightly::Judged& judged,
                                    InconclusiveAs inconclusive = InconclusiveAs::error);

/// JUnit's XML: a regression is a failure, no data is an error, each with its reason.
std::string junit_xml(const nightly::Judged& judged,
                      InconclusiveAs inconclusive = InconclusiveAs::error);

}  // namespace ablate::reports
