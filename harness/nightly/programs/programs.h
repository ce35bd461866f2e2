// The programs that a night runs: those of tonight's build, and those that a baseline has kept.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::nightly {

/// A folder with the programs `ablate`, `ablate-worker` and `ablate_bench`.
struct Programs {
  std::filesystem::path folder;

  std::string path_of(const char* program) const { return (folder / program).string(); }
};

/// The names of the three programs.
constexpr const char* kPrograms[] = {"ablate", "ablate-worker", "ablate_bench"};

/// The programs beside the one that runs. Throws std::invalid_argument where one is missing.
Programs running_programs();

/// SHA-256 by program's name: what tells one build from another.
using ProgramHashes = std::map<std::string, std::string>;

/// Of the three programs. Throws std::runtime_error where one cannot be read.
ProgramHashes hashes_of(const Programs& programs);

/// What the worker says of itself: {"version", "commit", "libtorch", ...}. Throws
/// std::runtime_error where it does not run.
Json about(const Programs& programs, const std::filesystem::path& log);

/// Runs a program to its end; `take` receives the lines of its standard output, its standard error
/// goes to `log`. Returns its exit status; 128 and the signal where a signal ended it.
int run_program(const std::vector<std::string>& command, const std::filesystem::path& log,
                const std::function<void(const std::string& line)>& take = nullptr);

/// "status 2", or "signal 11 (Segmentation fault)", of what run_program() returned.
std::string ending_text(int status);

/// The names of a program's benchmarks that a regular expression matches; none where it matches none,
/// or is none. Throws std::runtime_error where the program does not run. `log` receives what it says.
std::set<std::string> benchmarks_of(const Programs& programs, const std::string& filter,
                                    const std::filesystem::path& log);

}  // namespace ablate::nightly
