// Checks and repairs a results folder.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::store {

/// One thing found in a results folder.
struct Finding {
  bool damage = false;  // whether it is damage; otherwise it is information
  std::string text;
};

/// Verifies the plan, every line of every journal, every checkpoint against its own hash, its trial
/// and the journal's hash, and the index against the journals. Also lists incomplete files of killed
/// processes.
std::vector<Finding> examine(const std::filesystem::path& results);

/// Removes incomplete files, cuts off torn last lines of journals, keeps what is before the damage
/// of damaged ones (see salvage_journal()), and rebuilds the index unless a journal has no line
/// left. Does not change other damage. Requires: the folder's lock is held.
void repair(const std::filesystem::path& results);

}  // namespace ablate::store
