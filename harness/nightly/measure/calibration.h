// How far two measurements of one program differ on a machine: HOME/calibration/MACHINE.json.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/measure/suite.h"

namespace ablate::nightly {

/// usual_log_ratio() by benchmark; empty where the file does not exist. Throws DamagedFile where it
/// is none.
std::map<std::string, double> read_usual(const std::filesystem::path& file);

/// The rule for a benchmark.
SpeedRule rule_of(const std::string& series, const std::map<std::string, double>& usual);

/// Times the running program against itself, `pairs` times as a night would, and writes what that
/// shows to the machine's file, which it returns. Every repetition is kept beside it, so the same
/// command goes on after an interruption.
std::filesystem::path calibrate(const Suite& suite, const Home& home, std::int64_t pairs,
                                const std::function<void(const std::string& line)>& say);

}  // namespace ablate::nightly
