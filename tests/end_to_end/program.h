// Runs the built programs as a user would, and reads what they leave.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "tests/temporary_folder.h"

namespace ablate::testing_support {

struct Finished {
  int exit_code = -1;  // 128 + signal for one that a signal ended
  std::string output;  // standard output
  std::string errors;  // standard error
};

/// A signal to a program that runs, sent once, as soon as `when` holds. By what the program has
/// done, not by the clock: machines differ.
struct Interruption {
  int signal = 0;
  std::function<bool()> when;
};

/// A folder that goes away with the test. The corpus cache of every program run in it is inside.
class Workplace {
 public:
  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Writes a file below the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

  /// Runs `ablate` with these arguments. SIGKILL is sent to it and its workers, other signals to it
  /// alone.
  Finished ablate(const std::vector<std::string>& arguments,
                  const Interruption& interruption = {}) const;

 private:
  // On a disk: corpora and weights may be more than the memory that is lent as one.
  const TemporaryFolder folder_{std::filesystem::temp_directory_path()};
};

/// How many lines the journals of a results folder hold: how far a sweep is.
std::int64_t journal_lines(const std::filesystem::path& results);

/// The `report --json` of a results folder.
Json report_of(const Workplace& place, const std::filesystem::path& results);

}  // namespace ablate::testing_support
