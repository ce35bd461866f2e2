// What earlier reports have left in a folder.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/formats/report_file.h"

namespace ablate::reports {

/// The tables and drawings (table-NAME.tex, figure-NAME-1.svg) that an earlier report wrote into
/// the folder and that are not among `files`, by name. Only those of formats that `files` has, and
/// only regular files that begin as this program begins them: nothing that a reader has put there.
std::vector<std::filesystem::path> outdated_files(const std::filesystem::path& folder,
                                                  const std::vector<ReportFile>& files);

}  // namespace ablate::reports
