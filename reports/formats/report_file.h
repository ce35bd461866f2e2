// A file of a report.

#pragma once

#include <string>

namespace ablate::reports {

/// A file of a report. `name` is relative to the report's folder.
struct ReportFile {
  std::string name;
  std::string bytes;
};

}  // namespace ablate::reports
