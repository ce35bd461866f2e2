// Makes the entries of a folder durable.

#pragma once

#include <filesystem>

namespace ablate {

/// Returns when the entries of `folder` (what was created, renamed or removed in it) are on the
/// disk; an empty path is the working directory. Throws std::runtime_error with the folder and the
/// reason.
void sync_folder(const std::filesystem::path& folder);

/// Returns when everything on the file system of `folder` is on the disk: one call for many files.
/// Throws as above.
void sync_file_system(const std::filesystem::path& folder);

}  // namespace ablate
