// The file that says what a night runs.

#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json_source.h"
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
  Stretch place = {};                          // of its file's name in the suite
  std::map<std::string, Stretch> places = {};  // of the metrics' names
};

/// A series whose regressions do not count for a while.
struct Quarantine {
  std::string series, owner, reason;
  std::string until;   // "2026-12-31", the last day
  Stretch where = {};  // of the series' name in the suite
};

/// A series that was removed on purpose; "EXPERIMENT/*": all of an experiment, and so on.
struct Retired {
  std::string series, reason;
  Stretch where = {};  // of the series' name in the suite

  bool covers(const std::string& name) const;
};

/// What a night runs and how it is judged.
struct Suite {
  std::vector<SuiteExperiment> experiments;
  std::string filter;            // of the benchmarks: a regular expression
  std::int64_t repetitions = 0;  // of each, by either program
  double seconds = 0;            // of a repetition, at least
  std::vector<Quarantine> quarantine;
  std::vector<Retired> retired;
  Stretch filter_place = {};
  std::shared_ptr<const JsonSource> source = nullptr;  // of the places
};

/// The keys of the file.
std::span<const Param> suite_params();

/// Reads a file; paths in it are relative to it, or "ablate:" and the path of a shipped file. `file`
/// may be named in the second way, too. Throws std::invalid_argument with all faults, each with its
/// line and what to do, and where it asks for nothing at all.
Suite read_suite(const std::filesystem::path& file);

/// All that it asks for, without where it says so: what tells one suite from another.
Json json_of(const Suite& suite);

}  // namespace ablate::nightly
