#include "harness/store/journal/trial_folders.h"

#include <algorithm>
#include <iterator>

#include "harness/base/links.h"
#include "harness/base/posix/sync_folder.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrialsFolder = "trials";
constexpr std::size_t kGroupLength = 2;  // of the beginning of an id, which its group is named by

std::string group_of(const std::string& id) { return id.substr(0, kGroupLength); }

/// Whether an entry of trials/, or what it leads to, holds folders of trials. The name of a trial's own folder is longer.
bool is_group(const fs::path& entry) {
  return entry.filename().native().size() <= kGroupLength && fs::is_directory(entry);
}

/// Whether this is a folder, and not a link to one.
bool is_own_folder(const fs::path& path) { return fs::is_directory(fs::symlink_status(path)); }

/// The entries of a folder, in order; none where it is not there.
std::vector<fs::path> entries_in(const fs::path& folder) {
  std::vector<fs::path> entries;
  if (!fs::exists(folder)) return entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

void begin_folder_at(const fs::path& folder) {
  refuse_link(folder);
  if (fs::create_directory(folder)) sync_folder(folder.parent_path());
}

}  // namespace

fs::path trial_folder(const fs::path& results, const std::string& id) {
  const fs::path trials = results / kTrialsFolder;
  const bool older = id.size() > kGroupLength && is_own_folder(trials / id);
  return older ? trials / id : trials / group_of(id) / id;
}

fs::path journal_file(const fs::path& results, const std::string& id) {
  return trial_folder(results, id) / kJournalName;
}

fs::path begin_trial_folder(const fs::path& results, const std::string& id) {
  fs::path folder = trial_folder(results, id);
  if (folder.parent_path().filename() != kTrialsFolder) begin_folder_at(folder.parent_path());
  begin_folder_at(folder);
  return folder;
}

std::map<std::string, fs::path> listed_trials(const fs::path& results) {
  std::map<std::string, fs::path> trials, older;
  for (const fs::path& entry : entries_in(results / kTrialsFolder)) {
    const std::string name = entry.filename();
    if (!is_group(entry)) {
      if (name.size() > kGroupLength && is_own_folder(entry)) older[name] = entry;
      continue;
    }
    for (const fs::path& own : entries_in(entry))
      if (const std::string id = own.filename(); group_of(id) == name) trials[id] = own;
  }
  older.merge(trials);
  return older;
}

std::vector<fs::path> entries_of_trials(const fs::path& results) {
  std::vector<fs::path> all;
  for (const fs::path& entry : entries_in(results / kTrialsFolder)) {
    if (!is_group(entry) || !is_own_folder(entry)) {
      all.push_back(entry);
      continue;
    }
    std::ranges::copy(entries_in(entry), std::back_inserter(all));
  }
  return all;
}

std::vector<fs::path> folders_of_trials(const fs::path& results) {
  std::vector<fs::path> folders = {results / kTrialsFolder};
  for (const fs::path& entry : entries_in(results / kTrialsFolder))
    if (is_group(entry) && is_own_folder(entry)) folders.push_back(entry);
  return folders;
}

bool is_trial_folder(const fs::path& folder) {
  const fs::path above = folder.parent_path();
  return above.filename() == kTrialsFolder || (above.parent_path().filename() == kTrialsFolder &&
                                               above.filename() == group_of(folder.filename()));
}

}  // namespace ablate::store
