// The lock of a results folder: only one run at a time, and its holder is visible.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/base/posix/descriptor.h"

namespace ablate::store {

/// Who holds the lock of a results folder.
struct Holder {
  std::int64_t pid = 0;
  std::string host;
  bool shard = false;  // it is, or was, one of several that run parts of one experiment
  bool alive = true;   // false where it died on this host and its last workers are ending

  std::string text() const;  // "process 4711 on host 'cpu3'"
};

/// The holder of the lock; empty where there is none. Takes no lock, so it never makes a run fail.
std::optional<Holder> holder_of(const std::filesystem::path& results);

/// Whom the lock of a results folder keeps out: everybody, or all but other shards, which take trials by leases.
enum class Sharing { alone, with_shards };

/// The lock of the run in a results folder. Processes that are forked while it is held inherit it,
/// so it is free only when the run and its last worker have ended.
class FolderLock {
 public:
  /// Takes the lock of the folder, which is created where it does not exist. Where another run
  /// holds the lock, calls `waiting` once and waits; without `waiting` it throws
  /// std::invalid_argument, which names the holder. Waits for workers that outlived a killed run.
  /// Throws std::invalid_argument for a folder with files but no results, so that a mistyped
  /// --results changes nothing, and DamagedFile where the folder of its trials or of its tuning is a
  /// link. One that keeps everybody out removes what killed processes left half written.
  explicit FolderLock(const std::filesystem::path& results,
                      const std::function<void(const Holder&)>& waiting = nullptr,
                      Sharing sharing = Sharing::alone);

  /// Whether the folder is still where it was: neither moved nor deleted since it was locked.
  bool in_place() const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace ablate::store
