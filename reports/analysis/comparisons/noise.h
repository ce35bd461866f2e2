// How much metrics vary between seeds, which says how many seeds an experiment needs.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The spread of a metric over seeds: of an arm's values, or of its differences from the baseline.
struct SeedSpread {
  std::string arm;
  std::string metric;
  bool paired = false;  // of arm - baseline by seed
  std::int64_t n = 0;
  double mean = 0;
  double deviation = 0;                  // standard deviation, in the metric's unit
  statistics::Interval interval;         // of the deviation: the 95 % chi-squared interval
  std::optional<double> variance_ratio;  // paired: what common random numbers saved
};

/// The spreads of all metrics, by metric and arm: of every arm with two values or more, and of every
/// difference from the baseline that the metric allows.
std::vector<SeedSpread> spreads_of(const Analysis& analysis);

/// The spread that a difference of the arm from the baseline has, as far as it is known: that of the
/// paired differences, or else that of two independent trials of the baseline, sqrt(2) times its own.
/// None where neither was measured.
std::optional<SeedSpread> spread_of_difference(const std::vector<SeedSpread>& spreads,
                                               const std::string& arm, const std::string& baseline,
                                               const std::string& metric);

}  // namespace ablate::reports
