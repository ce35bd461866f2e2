// Which arms sweep over a number.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// An arm at its value of the swept parameter.
struct SweptArm {
  double value = 0;
  const ArmResult* arm = nullptr;
};

/// The arms of one entry of the experiment file, which differ in one number alone.
struct SweptFamily {
  std::string name;            // "mlm" for mlm[rate=0.15]
  std::vector<SweptArm> arms;  // at least two, by value, ascending
};

/// The families that sweep over the same parameter.
struct NumberSweep {
  std::string parameter;  // its path in the experiment file: "objective.rate"
  std::vector<SweptFamily> families;
};

/// The sweeps over one number, in the order of their first arms. Values are read from the resolved
/// settings, not from names. Arms that differ in several settings, or in one that is no number,
/// make no sweep. The result points into the analysis.
std::vector<NumberSweep> number_sweeps(const Analysis& analysis);

}  // namespace ablate::reports
