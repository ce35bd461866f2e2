// Comparisons of arms that share no seeds with the baseline, which no paired test can make.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A primary difference between independent trials. No verdict rests on it.
struct UnpairedDifference {
  const Difference* difference = nullptr;  // whose pairs are too few
  std::int64_t n = 0, of_baseline = 0;     // values of the arm, and of the baseline
  Estimate means;                          // arm - baseline, with Welch's 95 % interval; no values
  std::optional<double> welch_p;           // absent where neither arm has a spread
  std::optional<double> mann_whitney_p;
  std::optional<double> dunnett_p;  // adjusted over all rows; absent without any spread
  std::optional<double> hedges_g;
  std::optional<double> probability_better;  // of a trial of either; absent without a direction
};

/// A row for each primary difference of arms that may be compared, share fewer than two seeds, and
/// have two values or more each; in the order of the differences. The result points into the analysis.
std::vector<UnpairedDifference> unpaired_differences(const Analysis& analysis);

}  // namespace ablate::reports
