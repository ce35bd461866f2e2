// A file read where it lies: mapped into memory, read only.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ablate {

class MappedFile {
 public:
  /// Maps a regular file. Throws std::runtime_error with the path and the reason.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// All of the file; starts at a page's start, so that arrays in it are aligned as they are in the
  /// file.
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ablate
