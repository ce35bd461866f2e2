// How far two measurements of one program differ on a machine: HOME/calibration/MACHINE.json.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "harness/nightly/measure/home.h"
#include "harness/nightly/programs/suite.h"
#include "harness/store/index/records.h"

namespace ablate::nightly {

/// The noise of a quality series.
struct QualityNoise {
  double deviation = 0;    // of a difference between two programs' trials, in the metric's unit
  std::int64_t seeds = 0;  // that a night has
  double margin = 0;       // the smallest that so many seeds can hold
};

/// What a calibration found.
struct Calibration {
  std::map<std::string, double> usual;          // usual_log_ratio() by benchmark
  std::map<std::string, QualityNoise> quality;  // by series: EXPERIMENT/ARM/METRIC
};

/// The noise of each series of the records that a night judges, and the margin that `seeds` hold;
/// by default as many as the records have.
///
/// Trials of one program do not differ, and those of two may differ in all but the seed: where a
/// change draws other random numbers, a pair has nothing in common. So the deviation of a difference
/// is taken to be that of two independent trials, sqrt(2) times the deviation over seeds. Where
/// pairing does save something, the margin is larger than it must be, never smaller.
std::map<std::string, QualityNoise> quality_noise(const SuiteExperiment& experiment,
                                                  const store::Records& records,
                                                  std::optional<std::int64_t> seeds = std::nullopt);

Json json_of(const Calibration& calibration);

/// Throws Json::exception for another document.
Calibration calibration_from(const Json& document);

/// Adds the noise of quality series to a machine's calibration, in place of what it has for the same
/// series, and returns its file; the rest of it stays. Series whose seeds hold no margin at all are
/// left out. `source`: where the noise was measured; it is kept with it.
std::filesystem::path add_noise(const Home& home,
                                const std::map<std::string, QualityNoise>& quality,
                                const std::string& source);

/// Empty where the file does not exist. Throws DamagedFile where it is no calibration.
Calibration read_calibration(const std::filesystem::path& file);

/// The margins by series.
std::map<std::string, double> held_margins(const Calibration& calibration);

/// Times the running program against itself, `pairs` times as a night would, trains the experiments
/// that have margins, and writes what that shows to the machine's file, which it returns. Every
/// repetition and result is kept beside it, so the same command goes on after an interruption.
std::filesystem::path calibrate(const Suite& suite, const Home& home, std::int64_t pairs,
                                const std::function<void(const std::string& line)>& say);

}  // namespace ablate::nightly
