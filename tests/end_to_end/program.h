// Runs the built programs as a user would, and reads their results.

#pragma once

#include <cstdint>
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

/// A signal that is sent once to a running program, as soon as `when` holds. It is asked before each
/// line that a worker writes to a journal, and that worker stands still meanwhile: what the program has
/// done decides, not how fast it is and this process sees it.
struct Interruption {
  int signal = 0;
  std::function<bool()> when;
  std::int64_t lines = 0;  // that workers write without asking: every pause takes its time
};

/// A signal that is sent before the journals of a results folder have more than `lines` + 1 lines.
Interruption at_line(std::int64_t lines, int signal, const std::filesystem::path& results);

/// A temporary folder for running programs. It also holds their cache of corpora.
class Workplace {
 public:
  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Writes a file below the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

  /// Runs `ablate` with these arguments. SIGKILL is sent to it and its workers, other signals to it
  /// alone.
  Finished ablate(const std::vector<std::string>& arguments,
                  const Interruption& interruption = {}) const;

  /// The same by the programs in another folder.
  Finished ablate_in(const std::filesystem::path& programs,
                     const std::vector<std::string>& arguments,
                     const Interruption& interruption = {}) const;

 private:
  // Not in /dev/shm, which may be too small for corpora and weights.
  const TemporaryFolder folder_{std::filesystem::temp_directory_path()};
};

/// The text of an experiment that takes seconds: causal and masked LM, two seeds, 12 steps on 8,000
/// tokens of the language. `changes`: JSON that is merged into it (RFC 7396).
std::string tiny_experiment(const std::string& changes);

/// The number of lines in the journals of a results folder, which shows how far a sweep is.
std::int64_t journal_lines(const std::filesystem::path& results);

/// The output of `ablate report --json` for a results folder.
Json report_of(const Workplace& place, const std::filesystem::path& results);

/// Runs a line of the shell with these words of env(1) before it, and returns its exit status. Fails
/// where it is still running after kPatience.
int run_shell(const std::string& environment, const std::string& line);

/// A Python interpreter with numpy, or nothing. Debian's numpy is for Debian's interpreter, which
/// may not be the first one on the path.
std::string python_with_numpy();

}  // namespace ablate::testing_support
