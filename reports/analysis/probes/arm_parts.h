// Accuracies of parts of the items of a metric: by field and by group of a file of pairs.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The accuracy of one part, over seeds.
struct PartScore {
  std::string name;
  std::int64_t items = 0;  // of the seed that has fewest
  Estimate over_seeds;     // by the arm's seeds
  double item_error = 0;   // standard error of drawing other items of the part; the mean over seeds
};

/// The parts of one arm and one metric.
struct ArmParts {
  const MetricRow* metric = nullptr;
  const ArmResult* arm = nullptr;
  std::string by;                // "field" or "group"
  std::vector<PartScore> parts;  // in the order of the file
};

/// The parts of all completed trials, by metric, way of dividing and arm. Items that a file does not
/// divide, as where no line has a field, have no parts. The result points into the analysis.
std::vector<ArmParts> arm_parts(const Analysis& analysis);

}  // namespace ablate::reports
