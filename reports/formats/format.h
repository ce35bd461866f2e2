// What a format of the report is: a name, and the files that it writes.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// What every writer is given: the numbers, and what is said of them in reading order.
struct Content {
  const Analysis& analysis;
  const Document& document;
};

/// A file of a format, by its name within the report's folder, and what writes it.
struct FormatFile {
  std::string_view name;
  std::string (*bytes)(const Content&);
};

/// A row of the registry.
struct Format {
  std::string_view name;  // what `report --format` is given
  std::vector<FormatFile> files;
};

}  // namespace ablate::reports
