// Reading files, and writing them atomically. All files of the project are read and written through
// these functions.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "harness/base/posix/descriptor.h"

namespace ablate {

/// The bytes of a regular file of at most `limit` bytes.
/// Throws std::runtime_error with the path and the reason (absent, a folder, a device, too large).
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 1u << 30);

/// The same into `bytes`, whose memory is used again: for the next of many files.
void read_file(const std::filesystem::path& path, std::string& bytes,
               std::uint64_t limit = 1u << 30);

/// Writes the complete file or nothing: a temporary file next to it, fsync, rename, fsync of the
/// folder. Throws std::runtime_error with the path and the system's reason; the previous file is
/// then intact.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The same for a file that consists of `parts`, one after another, which are not copied together.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

/// Whether a file or folder has a temporary name, as write_file() gives: it is being written, or was
/// left by a process that was killed.
bool has_temporary_name(const std::filesystem::path& path);

/// When a line that was appended is on the disk: on return, or with the next line that is. A
/// process that is killed loses neither; a power failure may lose the latter.
enum class Durable { now, with_next };

/// Whether a process has the file open as an AppendFile, as far as the file system's locks tell.
bool is_being_appended(const std::filesystem::path& path);

/// A file that is only ever appended to, one line at a time. Holds an exclusive lock while it is
/// open, where the file system has locks.
class AppendFile {
 public:
  /// Opens the file, or creates it. Throws std::runtime_error where it cannot be opened, or another
  /// process has it open.
  explicit AppendFile(const std::filesystem::path& path);

  /// Appends `line` and a newline. Throws std::invalid_argument where `line` contains a newline,
  /// std::runtime_error where the disk does not take it; part of the line may then be in the file.
  void append(std::string_view line, Durable durable = Durable::now);

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace ablate
