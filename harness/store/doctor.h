// Checking a results folder: does everything in it verify, and what did killed processes leave?

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::store {

/// One thing found in a results folder.
struct Finding {
  bool damage = false;  // otherwise it is only worth knowing
  std::string text;
};

/// Verifies the plan, every line of every journal, every checkpoint against its own hash and the
/// journal's, and the index against the journals; lists what killed processes left half written.
std::vector<Finding> examine(const std::filesystem::path& results);

/// Removes half-written files, cuts off torn last lines of journals and makes the index anew. What
/// is damaged beyond that stays as it is. Requires: the folder's lock is held.
void repair(const std::filesystem::path& results);

}  // namespace ablate::store
