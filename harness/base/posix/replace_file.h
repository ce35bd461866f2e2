// A file gets new contents all at once.

#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace ablate {

/// Part of the temporary names that replace_file() gives.
constexpr std::string_view kTemporaryName = ".tmp.";

enum class Synced { yes, no };

/// Writes `parts`, one after another, to a temporary file next to `path`, which then gets that name: readers see the
/// former file or the new one, whole. Synced: the bytes are on the disk before that, though the name may not be yet.
/// Not synced: after a power failure the file may be empty. That saves milliseconds for each file, and is for what can
/// be made again, such as the hundreds of files of a report.
/// Throws std::runtime_error with the path and the system's reason; the former file is then intact.
void replace_file(const std::filesystem::path& path, std::span<const std::string_view> parts,
                  Synced synced);

}  // namespace ablate
