// Reports, from records alone: the same records make the same bytes.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// A file of a report, by its name within the report's folder.
struct ReportFile {
  std::string name;
  std::string bytes;
};

/// What `report --format` can name.
std::span<const std::string_view> report_formats();

/// md: report.md; tex: tables.tex, numbers.tex; html: report.html; csv: trials.csv, summary.csv;
/// json: report.json. Throws std::invalid_argument for an unknown format.
std::vector<ReportFile> make_report(const store::Records& records,
                                    const std::vector<std::string>& formats);

/// The answer and the main table in Markdown: what a terminal is shown.
std::string main_table_text(const store::Records& records);

/// The document of `report --json`.
Json report_json(const store::Records& records);

}  // namespace ablate::reports
