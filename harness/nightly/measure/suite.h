// The file that says what a night runs.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/param.h"

namespace ablate::nightly {

/// An experiment of a night.
struct SuiteExperiment {
  std::string name;                // the file's name without its ending
  std::filesystem::path file;      // absolute
  std::vector<std::string> flags;  // of `ablate run`: {"--set", "train.budget.tokens=..."}
  // By metric: the smallest worsening that matters; absent: the smallest that the seeds can hold, as
  // calibrated.
  std::map<std::string, std::optional<double>> margins;
};

/// A series whose regressions do not count for a while.
struct Quarantine {
  std::string series, owner, reason;
  std::string until;  // "2026-12-31", the last day
};

/// What a night runs and how it is judged.
struct Suite {
  std::vector<SuiteExperiment> experiments;
  std::string filter;            // of the benchmarks: a regular expression
  std::int64_t repetitions = 0;  // of each, by either program
  double seconds = 0;            // of a repetition, at least
  std::vector<Quarantine> quarantine;
};

/// The keys of the file.
std::span<const Param> suite_params();

/// Reads a file; paths in it are relative to it. Throws std::invalid_argument with all faults, each
/// with its line and what to do.
Suite read_suite(const std::filesystem::path& file);

}  // namespace ablate::nightly
