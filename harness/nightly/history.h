// All nights of a folder: how each benchmark and metric went, where it took a step, and when exact
// series changed.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/contract/metrics/metric.h"
#include "harness/nightly/judge/finding.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/programs/suite.h"

namespace ablate::nightly {

/// A night in the list of nights.
struct NightLine {
  std::string name, date, commit, baseline, pin, fingerprint;
  std::string verdict;                // as gate.json has it; "not judged" without one
  std::map<std::string, int> counts;  // of findings, by verdict
  std::vector<Quarantine> quarantine;
  ProgramHashes programs = {};
  std::string suite = {};
};

/// How often a series raised an alarm (a regression or an improvement) or could not tell, and had
/// nothing to tell the night after, against the same pin: what comes and goes is noise, or a test that
/// depends on luck.
struct Flakiness {
  std::string series, fingerprint;
  std::size_t nights = 0;       // that have the series
  std::size_t alarms = 0;       // nights whose verdict was neither a pass nor changed
  std::size_t gone = 0;         // of these: the night after passed, against the same pin
  std::size_t unchanged = 0;    // of these: by the same programs and the same suite
  std::size_t unconfirmed = 0;  // nights whose alarm a second measurement did not find

  /// Whether there is something to look at.
  bool is_flaky() const { return gone > 0 || unconfirmed > 0; }
};

/// What a series was in one night.
struct NightValue {
  std::size_t night = 0;  // its place in History::nights
  // Speed: the quartiles of tonight's program, seconds. Quality: the mean over seeds, three times.
  double low = 0, centre = 0, high = 0;
  std::optional<double> baseline = {};  // quality: the mean of the baseline's trials
};

/// A lasting change of a series.
struct Step {
  std::size_t last_before = 0, first_after = 0;  // places in History::nights
  double before = 0, after = 0;                  // levels, in the series' unit

  double ratio() const { return after / before; }
};

/// A benchmark or a metric on one machine.
struct SeriesHistory {
  std::string series, fingerprint;
  Kind kind = Kind::speed;
  std::string unit = "s";
  Better better = Better::lower;
  double margin = 0;                    // quality: the smallest change that matters; 0: not known
  std::vector<NightValue> values = {};  // in the order of nights
  std::vector<Step> steps = {};
};

/// An exact series in one night.
struct ExactNight {
  std::size_t night = 0;  // its place in History::nights
  std::string verdict;
  std::string digest;  // of what is compared; empty: the night's record has none
};

/// An exact series on one machine.
struct ExactHistory {
  std::string series, fingerprint;
  std::vector<ExactNight> nights = {};  // in order
  // Places in `nights` whose digest is not that of the last one before that has one.
  std::vector<std::size_t> changes = {};
};

/// How steps are found.
enum class StepMethod {
  potts,       // levels of medians, robust: statistics::levels_of()
  e_divisive,  // a permutation test of energy statistics, as a second opinion
};

/// What all nights tell together.
struct History {
  std::vector<NightLine> nights;      // the earliest first
  std::vector<SeriesHistory> series;  // benchmarks and metrics: by name, then by machine
  std::vector<ExactHistory> exact;    // the same
  std::vector<Flakiness> flaky;       // series that are, the worst first
  std::map<std::pair<std::string, std::string>, Pin> pins;  // by baseline and name
};

/// Reads the last `nights` nights. A step of a benchmark is a change of the level by 5 % or more that
/// two nights show, that of a metric one by its margin or more (any, where none is known). Between
/// nights, times also tell of the machine's mood, so steps are for people to look at and no verdict.
/// A night whose repetitions are not all positive numbers is no part of a benchmark's history, and
/// one that was not judged none of a metric's. Throws as the readers of the records do.
History read_history(const Home& home, StepMethod method = StepMethod::potts,
                     std::size_t nights = 200);

}  // namespace ablate::nightly
