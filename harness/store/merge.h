// Merging what several machines did of one experiment.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::store {

/// What a merge did, in trials.
struct Merged {
  std::size_t added = 0;             // trials that were not there
  std::size_t advanced = 0;          // trials that the other folder had continued
  std::size_t kept = 0;              // trials that were already up to date
  std::vector<std::string> refused;  // "trial ID: why": both folders continued the same trial
};

/// Merges the results folder `from` into `into`, which is made where it does not exist: the plans
/// of one experiment are united, every journal is verified, and a trial's folder is copied whole or
/// not at all. Where both have a trial, the journal that goes on from the other wins; neither
/// overwrites a journal that went another way. Throws std::invalid_argument for folders of
/// different experiments, DamagedFile for a journal of either that does not verify. Requires: the
/// lock of `into` is held.
Merged merge_results(const std::filesystem::path& into, const std::filesystem::path& from);

}  // namespace ablate::store
