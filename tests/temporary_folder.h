// A folder that goes away with its test.

#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace ablate {

class TemporaryFolder {
 public:
  /// In memory where there is such a place: a thousand syncs of a busy disk take their time.
  TemporaryFolder() : path_(made_in("/dev/shm")) {
    if (path_.empty()) path_ = made_in(std::filesystem::temp_directory_path());
    if (path_.empty()) fail("no temporary folder could be made");
  }

  /// Below `parent`.
  explicit TemporaryFolder(const std::filesystem::path& parent) : path_(made_in(parent)) {
    if (path_.empty()) fail("no temporary folder could be made in {}", parent.string());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file of the folder, its own folders made where they are absent; returns its path.
  std::filesystem::path write(std::string_view name, std::string_view bytes) const {
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  /// A new folder, or nothing where none can be made.
  static std::filesystem::path made_in(const std::filesystem::path& parent) {
    std::string name = (parent / "ablate-test-XXXXXX").string();
    return ::mkdtemp(name.data()) == nullptr ? std::filesystem::path()
                                             : std::filesystem::path(name);
  }

  std::filesystem::path path_;
};

}  // namespace ablate
