#include "experiments/commands/stores/new_folder.h"

#include <unistd.h>

#include <system_error>

#include "harness/base/error.h"
#include "harness/base/posix/sync_folder.h"
#include "harness/base/posix/unsynced_file.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

/// A folder under a temporary name, which goes away unless it is moved.
class PartialFolder {
 public:
  explicit PartialFolder(const fs::path& target) : path_(target.string() + ".partial") {
    if (!fs::create_directory(path_))
      fail("{}: already exists; remove it if no other export is writing to it", path_.string());
  }
  ~PartialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void check_new_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_symlink(folder, error))
    reject("{}: is a link to {}; give that folder itself, or a new one", folder.string(),
           fs::read_symlink(folder, error).string());
  const bool is_there = fs::exists(folder, error);
  if (is_there && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)))
    reject("{}: already exists and will not be overwritten; give a new folder", folder.string());
  const fs::path parent = folder.parent_path();
  if (!parent.empty() && !fs::is_directory(parent, error))
    reject("{}: is not a folder; make it first", parent.string());
}

void check_new_file(std::string_view flag, const fs::path& file) {
  std::error_code error;
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, error))
    reject("{} {}: {} is not a folder; make it first", flag, file.string(), folder.string());
  if (fs::is_directory(file, error))
    reject("{} {}: is a folder; name a file in it", flag, file.string());
  if (::access(folder.c_str(), W_OK) != 0)
    reject("{} {}: {} cannot be written to; choose another folder", flag, file.string(),
           folder.string());
}

void write_new_folder(const fs::path& folder, const std::vector<reports::ReportFile>& files) {
  check_new_folder(folder);
  const PartialFolder partial(folder);
  for (const reports::ReportFile& file : files) {
    fs::create_directories((partial.path() / file.name).parent_path());
    write_unsynced(partial.path() / file.name, file.bytes);  // there may be tens of thousands
  }
  sync_file_system(partial.path());
  fs::rename(partial.path(), folder);
}

}  // namespace ablate::commands
