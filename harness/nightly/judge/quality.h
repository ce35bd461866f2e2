// Judges quality: a metric of models trained now and by the baseline's program, paired by seed.

#pragma once

#include <string>
#include <vector>

#include "harness/nightly/judge/finding.h"

namespace ablate::nightly {

/// A metric of one arm.
struct QualitySeries {
  std::string series;
  std::vector<double> worsening;  // by seed, in the metric's unit; below 0: better
  double margin = 0;              // the smallest worsening that matters; above 0
  double held = 0;                // the smallest margin that the seeds can hold; 0: not calibrated
  Json values = Json::object();   // of both programs, for readers: added to the finding's numbers
};

/// Judges series together, at level `alpha`:
/// - a pass where the worsening is surely below the margin (one-sided t-test). All must pass for the
///   gate to pass, so each is tested at the full level (an intersection-union test: Berger 1982,
///   Technometrics 24(4));
/// - a regression where it is surely above the margin, an improvement where the metric is surely
///   better by more than the margin; both by Holm over the series, since one alarm among many is
///   easily had;
/// - inconclusive otherwise, with the number of seeds that would tell.
/// Numbers: "worsening" (mean), "low", "high" (two-sided interval at 1 - 2 alpha), "margin", "seeds", and the series' `values`.
std::vector<Finding> judge_quality(const std::vector<QualitySeries>& all, double alpha = 0.05);

}  // namespace ablate::nightly
