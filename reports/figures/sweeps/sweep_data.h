// Metrics by the number that arms sweep over, for those who draw them.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// An arm with values at its place on the axis.
struct SweepSpot {
  double value = 0;
  const ArmResult* arm = nullptr;
  const Estimate* seen = nullptr;
  std::optional<statistics::Interval> band = {};  // as it is drawn; empty below two seeds
};

/// A family's arms that have values of the metric, by their numbers, ascending.
struct SweepLine {
  std::string name;
  std::vector<SweepSpot> spots = {};
};

/// What a drawing shows around the mean: the band, or the t-interval of this value by itself.
inline const std::optional<statistics::Interval>& band_of(const SweepSpot& spot) {
  return spot.band ? spot.band : spot.seen->interval;
}

/// What a drawing shows: lines whose values may be compared.
struct SweepPanel {
  const MetricRow* metric = nullptr;
  std::string parameter;
  std::vector<SweepLine> lines = {};
  const ArmResult* baseline = nullptr;  // null where it may not be compared or has no values
  const Estimate* level = nullptr;      // the baseline's values
  bool together = false;  // bands hold at all of a line's values at once, not at each by itself
  bool measured = false;  // the values across were measured, and so are marked at round numbers
};

/// One panel for each sweep over a number, each headline metric, and each set of families whose
/// values may be compared. A line's band covers all of its means at once in 95 % of experiments: by
/// Bonferroni's inequality, a t-interval of the level 5 % / values at each. The result points into the analysis.
std::vector<SweepPanel> sweep_panels(const Analysis& analysis);

}  // namespace ablate::reports
