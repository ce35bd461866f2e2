// Copies of trial folders, made durable together: one sync for all of them, not two for each.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace ablate::store {

/// Copies trial folders under temporary names, then moves all of them into place.
class TrialCopies {
 public:
  /// Copies a trial's folder to one beside `target`, with `journal` as the bytes of its journal.
  /// Links and half-written files stay behind. Throws std::runtime_error where the disk is full.
  void add(const std::filesystem::path& source, const std::filesystem::path& target,
           std::string_view journal);

  /// Puts every copy in its target's place, whole or not at all; what stood there is removed.
  /// On return all of them would outlast a power loss.
  void finish();

 private:
  std::vector<std::filesystem::path> targets_;
};

}  // namespace ablate::store
