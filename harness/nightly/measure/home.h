// The folder of a nightly gate.
//
//   HOME/baselines/NAME/pins.jsonl             one line a pin, see Pin, and {"pins": their number} as the last
//   HOME/baselines/NAME/PIN/programs/          the programs that were pinned
//   HOME/baselines/NAME/PIN/results/MACHINE/EXPERIMENT-PLAN/   what they trained, for each machine and plan
//   HOME/calibration/MACHINE.json              how far two measurements of one program differ, see calibration.h
//   HOME/nights/DATE-COMMIT/                   a night, see night.h
//   HOME/nightly.sqlite                        all nights for queries, made anew each time, see index.h
//   HOME/lock                                  held by who changes the folder
//
// Every record has checksums (harness/base/json/checksummed.h), and all that reads one verifies it.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/posix/descriptor.h"
#include "harness/nightly/programs/programs.h"

namespace ablate::nightly {

/// A pinned baseline: {"pin", "commit", "reason", "who", "when", "programs"}.
struct Pin {
  std::string name, commit, reason, who, when;
  ProgramHashes hashes;  // of the programs, as they were pinned
  std::filesystem::path folder;

  Programs programs() const { return {folder / "programs"}; }

  /// Throws DamagedFile where a kept program is gone, or is not the one that was pinned.
  void verify() const;
};

/// A nightly folder. Nothing is created before something is written.
class Home {
 public:
  explicit Home(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path nights() const { return folder_ / "nights"; }
  std::filesystem::path calibration(const std::string& fingerprint) const {
    return folder_ / "calibration" / (fingerprint + ".json");
  }

  /// Held by a night, a pin, a calibration or an import, so that two at once do not mix. The folder is
  /// created where it is not there. Throws std::invalid_argument where another process holds it,
  /// std::runtime_error where the folder cannot be written.
  Descriptor lock() const;

  /// All pins of a baseline, the latest last; empty where there is none. Throws DamagedFile where
  /// their list is damaged or cut off, std::invalid_argument for a name that is none of a folder.
  std::vector<Pin> pins(const std::string& baseline) const;

  /// The latest pin of a baseline. Throws as pins(), and std::invalid_argument where there is none.
  Pin latest_pin(const std::string& baseline) const;

  /// The names of all baselines, in order.
  std::vector<std::string> baselines() const;

  /// Copies the programs of `from` and adds a pin. Earlier ones stay, since nights refer to them.
  /// Throws as pins(), and std::runtime_error where the disk does not take it. Requires: locked.
  Pin pin(const std::string& baseline, const Programs& from, const std::string& reason) const;

  /// The folders of all nights, the earliest first. Throws as read_night().
  std::vector<std::filesystem::path> all_nights() const;

 private:
  std::filesystem::path baseline_folder(const std::string& name) const;

  std::filesystem::path folder_;
};

/// Today in UTC, "2026-11-23".
std::string today();

}  // namespace ablate::nightly
