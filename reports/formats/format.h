// A format of the report: a name, and the function that writes its files.

#pragma once

#include <string_view>
#include <vector>

#include "reports/document/document.h"
#include "reports/findings/findings.h"
#include "reports/formats/report_file.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// The input of every writer: the numbers, what follows from them, the content in reading order, the
/// same for programs (report_json()), and the pages that drawings on paper are made for.
struct Content {
  const Analysis& analysis;
  const Findings& findings;
  const Document& document;
  const Json& json;
  Venue venue = {};
  const Analysis* common = nullptr;  // at the common learning rate; null without tuning
};

/// A row of the registry.
struct Format {
  std::string_view name;  // as given to `report --format`
  std::vector<ReportFile> (*files)(const Content&);
};

}  // namespace ablate::reports
