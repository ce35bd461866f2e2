// All nights of a folder: how each benchmark's time went, and where it took a step.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/nightly/measure/home.h"

namespace ablate::nightly {

/// A night in the list of nights.
struct NightLine {
  std::string name, date, commit, pin, fingerprint;
  std::string verdict;                // as gate.json has it; "not judged" without one
  std::map<std::string, int> counts;  // of findings, by verdict
};

/// A benchmark's time in one night.
struct NightTime {
  std::size_t night = 0;                 // its place in History::nights
  double low = 0, median = 0, high = 0;  // quartiles of tonight's program, seconds
};

/// A lasting change of a benchmark's time.
struct Step {
  std::size_t last_before = 0, first_after = 0;  // places in History::nights
  double before = 0, after = 0;                  // levels, seconds

  double ratio() const { return after / before; }
};

/// A benchmark on one machine.
struct SeriesHistory {
  std::string series, fingerprint;
  std::vector<NightTime> times;  // in the order of nights
  std::vector<Step> steps;
};

/// How steps are found.
enum class StepMethod {
  potts,       // levels of medians, robust: statistics::levels_of()
  e_divisive,  // a permutation test of energy statistics, as a second opinion
};

/// What all nights tell together.
struct History {
  std::vector<NightLine> nights;      // the earliest first
  std::vector<SeriesHistory> series;  // by name, then by machine
};

/// Reads the last `nights` nights. A step is a change of the level by 5 % or more that two nights
/// show: between nights, times also tell of the machine's mood, so steps are for people to look at
/// and no verdict. A night whose repetitions are not all positive numbers is no part of a benchmark's
/// history. Throws as the readers of the records do.
History read_history(const Home& home, StepMethod method = StepMethod::potts,
                     std::size_t nights = 200);

}  // namespace ablate::nightly
