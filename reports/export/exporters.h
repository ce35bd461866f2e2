// The formats of `ablate export`: a name, and the function that makes their files.

#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// What every exporter is given.
struct ExportInput {
  std::span<const Analysis> experiments;
  std::filesystem::path folder;  // absolute: where the files will lie
};

/// A row of the registry.
struct Exporter {
  std::string_view name;   // as given to `export --to`
  std::string_view about;  // what is made, in a few words
  std::vector<ReportFile> (*files)(const ExportInput&);
};

/// All exporters, in the order in which they are listed.
std::span<const Exporter> exporters();

/// The exporter of that name. Throws std::invalid_argument, with all names, where there is none.
const Exporter& exporter_named(std::string_view name);

}  // namespace ablate::reports
