// Copies of trial folders that are made durable together: one sync for all instead of two for each.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace ablate::store {

/// Copies trial folders under temporary names, then moves all of them into place.
class TrialCopies {
 public:
  /// Copies a trial's folder to a temporary folder next to `target`, with `journal` as the bytes of
  /// its journal. Links and incomplete files are left out. Throws std::runtime_error where the disk
  /// is full.
  void add(const std::filesystem::path& source, const std::filesystem::path& target,
           std::string_view journal);

  /// Moves every copy to its target; a folder that is there is removed first. On return all copies
  /// are durable. After a crash in between, `merge` copies again what is missing.
  void finish();

 private:
  std::vector<std::filesystem::path> targets_;
};

}  // namespace ablate::store
