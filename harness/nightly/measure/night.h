// Runs a night: trains and times what the suite asks for, by tonight's programs and the baseline's.
//
//   NIGHT/started.json            what the night is of: see NightIdentity
//   NIGHT/night.json              what was run, where, against which pin; see Night. Written at the end
//   NIGHT/results/EXPERIMENT/     results of tonight's program
//   NIGHT/baseline/EXPERIMENT/    plan and journals of the baseline's, as they were that night
//   NIGHT/bench.jsonl             every repetition of both programs, see timing.h
//   NIGHT/confirm.jsonl           the second measurement of what was slower or faster
//   NIGHT/logs/                   what the programs said

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/nightly/judge/finding.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/programs/suite.h"

namespace ablate::nightly {

/// An experiment of a night: the results of both programs, or why there are none.
struct NightExperiment {
  std::string name;
  std::filesystem::path now, baseline;  // results folders
  std::string now_failure, baseline_failure;
  bool baseline_some_failed = false;  // trials of the baseline: they are tried again
  std::map<std::string, std::optional<double>> margins;  // by metric, see SuiteExperiment
  // preview_digests() of both programs.
  std::map<std::string, std::string> now_previews = {}, baseline_previews = {};
};

/// What tells one night from another: nothing is used again by a night of other programs, another
/// suite or another day.
struct NightIdentity {
  std::string date;  // UTC
  std::string baseline, pin, fingerprint;
  ProgramHashes programs;  // tonight's
  std::string suite;       // a hash of all that it asks for, as tonight's program plans it

  bool operator==(const NightIdentity&) const = default;
};

/// The series that the last night of a baseline had.
struct LastNight {
  std::string night;  // its folder's name; empty: this is the first
  std::map<std::string, Kind> series = {};
};

/// What a night did: night.json. Paths in it are relative to the nightly folder.
struct Night {
  std::filesystem::path folder;
  NightIdentity identity;
  std::string commit;
  std::string finished;  // UTC
  Json machine;
  std::vector<NightExperiment> experiments;
  std::string filter;                                         // of the benchmarks
  std::int64_t repetitions = 0;                               // of each, by either program
  std::set<std::string> now_benchmarks, baseline_benchmarks;  // that each program has
  std::map<std::string, std::string> time_failures;           // by program, in words
  Calibration calibration;                                    // of the machine; empty without one
  std::vector<Quarantine> quarantine;
  std::map<std::string, std::string> now_golden, baseline_golden;  // golden_digests()
  LastNight last;
  std::vector<Retired> retired;
  // SHA-256 of each record in the folder, by its path in it: repetitions, plans, journals. Taken by
  // write_night().
  std::map<std::string, std::string> records = {};
};

/// Whether the baseline could do all that it was asked for. Where it could not, the same command tries
/// again.
bool is_complete(const Night& night);

/// A night, and whether anything ran for it now: a finished night of the same identity is not run again.
struct NightRun {
  Night night;
  bool ran = true;
};

/// How a night is run.
struct NightSettings {
  std::string baseline = "main";
  std::int64_t workers = 0;  // 0: as many as `ablate run` takes by itself
};

/// Runs what is not done yet of tonight's night and returns it: the same command goes on after an
/// interruption or a failure of the baseline's programs, and does nothing where the night is complete. `last`: what tonight must not lack.
/// Before anything is trained, throws std::invalid_argument where there is no such baseline, or where
/// the suite names what neither program has, DamagedFile where the baseline's programs are not those
/// that were pinned; and later as the functions of home.h and timing.h. `say` receives one line a stage.
NightRun run_night(const Suite& suite, const Home& home, const NightSettings& settings,
                   const LastNight& last, const std::function<void(const std::string& line)>& say);

}  // namespace ablate::nightly
