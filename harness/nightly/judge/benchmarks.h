// Judges the benchmarks of a night: what was measured, and with what.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/nightly/judge/finding.h"
#include "harness/nightly/judge/times.h"

namespace ablate::nightly {

/// What was timed in a night by the programs "now" and "baseline".
struct TimedNight {
  Times first, second;                          // second: that of what was slower or faster
  std::map<std::string, std::string> failures;  // by program, in words
  std::map<std::string, double> usual;          // usual_log_ratio() by benchmark, where calibrated
  std::set<std::string> now, baseline;          // the benchmarks that each program has
  std::int64_t repetitions = 0;                 // that were asked for
};

/// Judges each benchmark by judge_speed(), and an alarm by its second measurement. Seconds of two
/// machines are not compared, and neither are numbers in two units: no data. A benchmark that only
/// tonight's program has is changed; one that only the baseline's has is no data, and so is one of
/// which repetitions are missing. A finding for each program says whether it ran.
std::vector<Finding> judge_benchmarks(const TimedNight& night);

/// The verdict on one series from one measurement: of `first`, before it is confirmed.
Finding judge_series(const std::string& series, const Times& times,
                     const std::map<std::string, double>& usual);

}  // namespace ablate::nightly
