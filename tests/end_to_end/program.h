// Runs the built programs as a user would, and reads what they leave.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json.h"

namespace ablate::testing_support {

struct Finished {
  int exit_code = -1;  // 128 + signal for one that a signal ended
  std::string output;  // standard output
  std::string errors;  // standard error
};

/// A folder that goes away with the test. The corpus cache of every program run in it is inside.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Writes a file below the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

  /// Runs `ablate` with these arguments; with `kill_after` seconds above 0 it and its workers are
  /// killed with SIGKILL then.
  Finished ablate(const std::vector<std::string>& arguments, double kill_after = 0) const;

 private:
  std::filesystem::path folder_;
};

/// The `report --json` of a results folder.
Json report_of(const Workplace& place, const std::filesystem::path& results);

}  // namespace ablate::testing_support
