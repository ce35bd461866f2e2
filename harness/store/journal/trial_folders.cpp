#include "harness/store/journal/trial_folders.h"

#include "harness/base/links.h"
#include "harness/base/posix/sync_folder.h"

namespace ablate::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTrialsFolder = "trials";
constexpr std::size_t kGroupLength = 2;  // of the beginning of an id, which its group is named by

std::string group_of(const std::string& id) { return id.substr(0, kGroupLength); }

/// Whether an entry of trials/ holds folders of trials. The name of a trial's own folder is longer.
bool is_group(const fs::directory_entry& entry) {
  std::error_code gone;
  return entry.path().filename().native().size() <= kGroupLength && !entry.is_symlink(gone) &&
         entry.is_directory(gone);
}

void begin_folder_at(const fs::path& folder) {
  refuse_link(folder);
  if (fs::create_directory(folder)) sync_folder(folder.parent_path());
}

}  // namespace

fs::path trial_folder(const fs::path& results, const std::string& id) {
  const fs::path trials = results / kTrialsFolder;
  std::error_code absent;
  const bool older = id.size() > kGroupLength && fs::exists(trials / id, absent);
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

std::vector<fs::path> folders_of_trials(const fs::path& results) {
  std::vector<fs::path> folders = {results / kTrialsFolder};
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(results / kTrialsFolder, absent))
    if (is_group(entry)) folders.push_back(entry.path());
  return folders;
}

std::map<std::string, fs::path> listed_trials(const fs::path& results) {
  std::map<std::string, fs::path> trials;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(results / kTrialsFolder, absent)) {
    if (!is_group(entry)) {
      trials[entry.path().filename()] = entry.path();
      continue;
    }
    for (const auto& own : fs::directory_iterator(entry.path(), absent))
      trials.emplace(own.path().filename(), own.path());
  }
  return trials;
}

bool is_trial_folder(const fs::path& folder) {
  const fs::path above = folder.parent_path();
  return above.filename() == kTrialsFolder || (above.parent_path().filename() == kTrialsFolder &&
                                               above.filename() == group_of(folder.filename()));
}

}  // namespace ablate::store
