// A format of the report: a name, and the function that writes its files.

#pragma once

#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The input of every writer: the numbers, and the content in reading order.
struct Content {
  const Analysis& analysis;
  const Document& document;
};

/// A row of the registry.
struct Format {
  std::string_view name;  // as given to `report --format`
  std::vector<ReportFile> (*files)(const Content&);
};

}  // namespace ablate::reports
