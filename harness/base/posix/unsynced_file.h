// Files that are written without a sync of their own: one call for their file system makes many
// durable.

#pragma once

#include <filesystem>
#include <string_view>

namespace ablate {

/// Writes a file, whose previous contents are lost, or nothing. Throws MachineFault with the path and
/// the system's reason.
void write_unsynced(const std::filesystem::path& file, std::string_view bytes);

/// Copies a regular file with its permissions to a new file, or nothing. Throws as above, also where
/// `to` exists. (std::filesystem::copy_file() tells of a full disk as an "Input/output error".)
void copy_unsynced(const std::filesystem::path& from, const std::filesystem::path& to);

/// Throws MachineFault where a file of that name, which is lost, cannot have a megabyte: the reason why a
/// program that says none has written only a part of it.
void check_room(const std::filesystem::path& file);

}  // namespace ablate
