// The lock of a results folder: one run at a time, and everybody can see whose.

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
  bool alive = true;  // false where it died on this host, and its last workers are on their way out

  std::string text() const;  // "process 4711 on host 'cpu3'"
};

/// Nobody, or who is running in the folder now. Takes no lock, so it never makes a run fail.
std::optional<Holder> holder_of(const std::filesystem::path& results);

/// The one run in a results folder. The lock passes to processes that are forked while it is held,
/// so it is free again when the last worker is gone, not only the run that started it.
class FolderLock {
 public:
  /// Takes the lock of the folder, which is made if need be. Where another run holds it: calls
  /// `waiting` once and waits, if given; else throws std::invalid_argument that names the holder.
  /// Workers that outlived a killed run are waited for. Throws std::invalid_argument for a folder
  /// that holds files and no results, so that a slip of --results touches nothing.
  explicit FolderLock(const std::filesystem::path& results,
                      const std::function<void(const Holder&)>& waiting = nullptr);

 private:
  Descriptor file_;
};

}  // namespace ablate::store
