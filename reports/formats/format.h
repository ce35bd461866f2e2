// A format of the report: a name, and the files that it writes.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// The input of every writer: the numbers, and the content in reading order.
struct Content {
  const Analysis& analysis;
  const Document& document;
};

/// A file of a format: its name within the report's folder, and the function that writes it.
struct FormatFile {
  std::string_view name;
  std::string (*bytes)(const Content&);
};

/// A row of the registry.
struct Format {
  std::string_view name;  // as given to `report --format`
  std::vector<FormatFile> files;
};

}  // namespace ablate::reports
