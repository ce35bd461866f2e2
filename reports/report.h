// Makes reports from records. The same records give the same bytes.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/store/index/records.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The formats that `report --format` accepts, in the order in which a report is written.
std::vector<std::string_view> report_formats();

/// The files of the given formats, in the order of the registry (reports/formats/registry.h).
/// Throws std::invalid_argument for an unknown format, DamagedFile where plan and trials are
/// inconsistent.
std::vector<ReportFile> make_report(const store::Records& records,
                                    const std::vector<std::string>& formats);

/// The answer and the main table in Markdown, for a terminal.
std::string main_table_text(const store::Records& records);

/// The document of `report --json` (reports/formats/json.h).
Json report_json(const store::Records& records);

}  // namespace ablate::reports
