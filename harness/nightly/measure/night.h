// Runs a night: trains and times what the suite asks for, by tonight's programs and the baseline's.
//
//   NIGHT/night.json              what was run, where, against which pin; see Night
//   NIGHT/results/EXPERIMENT/     results of tonight's program
//   NIGHT/bench.jsonl             every repetition of both programs, see timing.h
//   NIGHT/confirm.jsonl           the second measurement of what was slower or faster
//   NIGHT/logs/                   what the programs said

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/measure/suite.h"

namespace ablate::nightly {

/// An experiment of a night: the results of both programs, or why there are none.
struct NightExperiment {
  std::string name;
  std::filesystem::path now, baseline;  // results folders
  std::string now_failure, baseline_failure;
  std::map<std::string, std::optional<double>> margins;  // by metric, see SuiteExperiment
  // preview_digests() of both programs.
  std::map<std::string, std::string> now_previews = {}, baseline_previews = {};
};

/// What a night did: night.json. Paths in it are relative to the nightly folder.
struct Night {
  std::filesystem::path folder;
  std::string date, commit, baseline, pin, fingerprint;
  std::string finished;  // UTC; empty in records of earlier versions
  Json machine;
  std::vector<NightExperiment> experiments;
  std::string filter;                                // of the benchmarks
  std::map<std::string, std::string> time_failures;  // by program, in words
  Calibration calibration;                           // of the machine; empty without one
  std::vector<Quarantine> quarantine;
  std::map<std::string, std::string> now_golden, baseline_golden;  // golden_digests()
};

/// Runs what is not done yet of tonight's night and returns it: the same command goes on after an
/// interruption. Throws std::invalid_argument where there is no such baseline, and as the functions
/// of home.h and timing.h. `say` receives one line a stage.
Night run_night(const Suite& suite, const Home& home, const std::string& baseline,
                const std::function<void(const std::string& line)>& say);

}  // namespace ablate::nightly
