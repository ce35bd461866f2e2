// Checks and repairs a results folder.

#pragma once

#include <filesystem>
#include <vector>

#include "harness/store/trial_findings.h"

namespace ablate::store {

/// Verifies the plan, every line of every journal, every checkpoint against its own hash, its trial
/// and the journal's hash, and the index against the journals. Also lists incomplete files of killed
/// processes. Where a run is active, says so, and nothing of what it is just writing: neither is that
/// damage, nor was it left by a killed process. Throws where memory or space is lacking.
std::vector<Finding> examine(const std::filesystem::path& results);

/// Removes incomplete files, cuts off torn last lines of journals, keeps what is before the damage
/// of damaged ones (see salvage_journal()), and rebuilds the index unless a journal has no line
/// left. Does not change other damage. Requires: the folder's lock is held.
void repair(const std::filesystem::path& results);

}  // namespace ablate::store
