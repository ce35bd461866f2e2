// Writes a folder of files as a whole, and checks where files can be written.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "reports/formats/report_file.h"

namespace ablate::commands {

/// Throws std::invalid_argument unless `folder` is absent or empty and no link, and its parent is there.
void check_new_folder(const std::filesystem::path& folder);

/// Throws std::invalid_argument, which names the flag, where no file of this name can be made: its
/// folder is not there or cannot be written to, or it is a folder itself.
void check_new_file(std::string_view flag, const std::filesystem::path& file);

/// Writes the files into `folder`: all of them, or nothing. They are written beside it, under the
/// name FOLDER.partial, and then take its place. Throws as check_new_folder(); std::runtime_error
/// where a file cannot be written or FOLDER.partial exists.
void write_new_folder(const std::filesystem::path& folder,
                      const std::vector<reports::ReportFile>& files);

}  // namespace ablate::commands
