// A file mapped into memory, read only.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ablate {

/// Maps a file for as long as it lives.
class MappedFile {
 public:
  /// Maps a regular file. Throws std::runtime_error with the path and the reason.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The contents, from the start of a page: arrays in them are aligned as in the file.
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ablate
