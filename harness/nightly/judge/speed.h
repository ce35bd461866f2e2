// Judges speed: the seconds of a benchmark now and of the baseline's program, measured in turns.

#pragma once

#include <span>
#include <string>

#include "harness/nightly/judge/finding.h"

namespace ablate::nightly {

/// What a change of speed must be to count: all of it.
struct SpeedRule {
  double p = 0.002;             // of the rank test, two-sided
  double least = 0.03;          // relative, as the log of the ratio of medians
  double usual = 0;             // log ratio that two measurements of one program may have
  double floor_seconds = 1e-7;  // a shorter difference is the clock's
};

/// Judges repetitions in seconds, lower being better. Numbers: "ratio" of medians (now over
/// baseline), "p", "baseline" and "now" (medians, seconds), "repetitions".
Finding judge_speed(const std::string& series, std::span<const double> baseline,
                    std::span<const double> now, const SpeedRule& rule = {});

/// `first`, unless a second measurement of a regression or improvement does not find it, too: then a
/// pass that says so. Where there is no second measurement, or none that tells, `first` is
/// inconclusive.
Finding confirmed(Finding first, const Finding* second);

/// The log ratio that two measurements of one program usually have: third quartile and three
/// interquartile ranges of the absolute log ratios of their medians. 0 for none.
double usual_log_ratio(std::span<const double> log_ratios);

/// Whether there are values, all of them finite and above 0.
bool all_positive(std::span<const double> values);

/// The median. Requires: not empty.
double median_of(std::span<const double> values);

/// The value below which a share of the values lies, between neighbours linearly. Requires: not
/// empty.
double quantile_of(std::span<const double> values, double share);

}  // namespace ablate::nightly
