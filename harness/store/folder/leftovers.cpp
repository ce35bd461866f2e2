#include "harness/store/folder/leftovers.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "harness/base/files.h"
#include "harness/base/posix/replace_file.h"
#include "harness/store/journal/trial_folders.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrevious = ".tmp.previous.";

fs::path with_suffix(const fs::path& path, std::string_view suffix) {
  return path.string() + std::string(suffix) + std::to_string(::getpid());
}

void add_leftovers(const fs::path& folder, std::vector<fs::path>& found) {
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent))
    if (has_temporary_name(entry.path())) found.push_back(entry.path());
}

}  // namespace

fs::path partial_copy_of(const fs::path& trial_folder) {
  return with_suffix(trial_folder, kTemporaryName);
}

fs::path previous_of(const fs::path& trial_folder) { return with_suffix(trial_folder, kPrevious); }

std::vector<fs::path> leftovers_in(const fs::path& results) {
  std::vector<fs::path> found;
  add_leftovers(results, found);
  for (const fs::path& folder : folders_of_trials(results)) add_leftovers(folder, found);
  for (const fs::path& folder : entries_of_trials(results))
    if (fs::is_directory(fs::symlink_status(folder)) && !has_temporary_name(folder))
      add_leftovers(folder, found);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> leftovers_in_report(const fs::path& results) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(results / "report", error);  // its folder paper/, too
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    if (has_temporary_name(entry->path())) found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

void remove_leftovers(const fs::path& results) {
  for (const fs::path& path : leftovers_in(results)) {
    const std::string name = path.filename().string();
    const fs::path target = path.parent_path() / name.substr(0, name.find(kTemporaryName));
    const bool previous = name.find(kPrevious) != std::string::npos;
    if (previous && !fs::exists(target))
      fs::rename(path, target);
    else
      fs::remove_all(path);
  }
}

}  // namespace ablate::store
