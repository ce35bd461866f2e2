#include "harness/store/trial_copies.h"

#include <set>

#include "harness/base/files.h"
#include "harness/base/posix/sync_folder.h"
#include "harness/base/posix/unsynced_file.h"
#include "harness/store/folder/leftovers.h"
#include "harness/store/journal/lease.h"

namespace ablate::store {
namespace fs = std::filesystem;

void TrialCopies::add(const fs::path& source, const fs::path& target, std::string_view journal) {
  const fs::path partial = partial_copy_of(target);
  fs::remove_all(partial);
  fs::create_directories(partial);
  for (const auto& entry : fs::directory_iterator(source)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || entry.is_symlink() || has_temporary_name(name))
      continue;                    // links may lead anywhere; temporary files are incomplete
    if (is_lease(name)) continue;  // of a program that works in the other folder
    if (name != "journal.jsonl") copy_unsynced(entry.path(), partial / name);
  }
  write_unsynced(partial / "journal.jsonl", journal);
  targets_.push_back(target);
}

void TrialCopies::finish() {
  if (targets_.empty()) return;
  sync_file_system(
      targets_[0].parent_path());  // before any is renamed: a final name means complete contents
  std::set<fs::path> folders;
  for (const fs::path& target : targets_) {
    folders.insert(target.parent_path());
    const fs::path previous = previous_of(target);
    if (fs::exists(target)) fs::rename(target, previous);
    fs::rename(partial_copy_of(target), target);
    fs::remove_all(previous);
  }
  for (const fs::path& folder : folders) sync_folder(folder);
  targets_.clear();
}

}  // namespace ablate::store
