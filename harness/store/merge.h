// Merges results folders of one experiment from several machines.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::store {

/// The result of a merge, in trials.
struct Merged {
  std::size_t added = 0;             // new trials
  std::size_t advanced = 0;          // trials that the other folder has continued
  std::size_t kept = 0;              // trials that were up to date
  std::vector<std::string> refused;  // "trial ID: why": both folders continued the same trial
};

/// Throws std::invalid_argument where a folder holds no results, is `into` itself, or is of another
/// experiment than `into` and the folders before it; DamagedFile where a plan does not verify.
/// Nothing is written.
void check_merge(const std::filesystem::path& into,
                 const std::vector<std::filesystem::path>& folders);

/// Merges the results folder `from` into `into`, which is created where it does not exist. The
/// plans are united, every journal is verified, and a trial's folder is copied completely or not at
/// all. Where both folders have a trial, the journal that continues the other is kept; diverging
/// journals are refused. Throws std::invalid_argument where the experiments differ, DamagedFile
/// where a journal does not verify. Requires: the lock of `into` is held.
Merged merge_results(const std::filesystem::path& into, const std::filesystem::path& from);

}  // namespace ablate::store
