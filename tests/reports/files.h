// The files of a report, for tests that read them.

#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/report.h"

namespace ablate::reports {

inline std::vector<std::string> all_formats() {
  const auto names = report_formats();
  return {names.begin(), names.end()};
}

/// The files of these formats, in memory.
inline std::vector<ReportFile> make_report(const store::Records& records,
                                           const std::vector<std::string>& formats,
                                           const Venue& venue = {}) {
  std::vector<ReportFile> files;
  Report(records).files(formats, venue, [&](std::string_view, std::vector<ReportFile> made) {
    std::ranges::move(made, std::back_inserter(files));
  });
  return files;
}

inline std::string main_table_text(const store::Records& records) {
  return Report(records).main_table_text();
}

inline Json json_of(const store::Records& records) { return Report(records).json(); }

/// The files of every format, by name.
inline std::map<std::string, std::string> files_of(const store::Records& records) {
  std::map<std::string, std::string> files;
  for (ReportFile& file : make_report(records, all_formats()))
    files[file.name] = std::move(file.bytes);
  return files;
}

}  // namespace ablate::reports
