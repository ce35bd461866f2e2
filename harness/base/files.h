// Files that are never half written: every file of the project is read and written through these.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ablate {

/// The bytes of a regular file of at most `limit` bytes.
/// Throws std::runtime_error with the path and the reason (absent, a folder, a device, too large).
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = 1u << 30);

/// Writes the file whole or not at all: a temporary file beside it, fsync, rename, fsync of the
/// folder. Throws std::runtime_error with the path and the system's reason; what stood there before
/// is intact.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// A file that is only ever appended to, one durable line at a time. Takes an exclusive lock while
/// open.
class AppendFile {
 public:
  explicit AppendFile(const std::filesystem::path& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Appends `line`, which holds no newline, and a newline; returns when both are on the disk.
  /// Where it throws, part of the line may stand in the file.
  void append(std::string_view line);

 private:
  int file_;
  std::filesystem::path path_;
};

}  // namespace ablate
