// Metrics along a number: swept, reached in training, or measured.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// An arm with values at its place on the axis.
struct SweepSpot {
  double value = 0;
  const ArmResult* arm = nullptr;
  Estimate seen;
  std::optional<statistics::Interval> band = {};  // as it is drawn; empty below two seeds
};

/// Spots that are joined, by their numbers.
struct SweepLine {
  std::string name;
  std::vector<SweepSpot> spots = {};
};

/// Lines whose values may be compared.
struct SweepPanel {
  MetricRow metric;
  std::string parameter;
  std::vector<SweepLine> lines = {};
  const ArmResult* baseline = nullptr;  // null where it may not be compared or has no values
  Estimate level = {};                  // the baseline's values
  bool together = false;  // bands hold at all of a line's values at once, not at each by itself
  bool measured = false;  // the values across were measured, and so are marked at round numbers
};

/// Adds a line to the panel of the same metric and parameter whose arms it may be compared with, or to a
/// copy of `empty`, which becomes the last panel. Requires: the line has spots.
void add_line(std::vector<SweepPanel>& panels, const SweepPanel& empty, SweepLine line);

/// The panels as a figure: of each line the mean over seeds, its band, and the seeds; and the baseline.
/// Papers have its plots as `paper`, each with a caption of its own: that of the figure, or, where
/// `intervals`, what the lines and bands are.
Figure sweep_figure(std::string name, std::string caption, const std::vector<SweepPanel>& panels,
                    const std::string& paper, bool intervals = true);

}  // namespace ablate::reports
