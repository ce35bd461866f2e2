// How the primary metric changes along a swept number.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/sweeps/sweeps.h"

namespace ablate::reports {

/// A contrast over seeds, and the p of its sign-flip test, not adjusted.
struct Contrast {
  Estimate over_seeds;
  double p = 1;
  bool declared = false;  // it is one of Analysis::declared_trends, which has its adjusted p
  std::optional<CarryingValue> carried_by = {};  // where one value carries it
};

/// The trend of one family of arms in the primary metric.
struct Trend {
  std::string parameter;       // "objective.rate"
  std::string family;          // the name of its arms' entry
  std::vector<double> values;  // of the parameter, ascending
  bool doublings = false;      // the trend is along log2 of the values, else along the values
  Contrast linear;             // change of the metric per unit of the parameter, or per doubling
  Contrast quadratic;          // what the square of that is multiplied by: above 0 is convex
};

/// The trends of all families that sweep over three values of a number or more, in order of the
/// sweeps, where the primary metric may be compared between all their arms and two seeds are
/// complete.
std::vector<Trend> trends_of(const Analysis& analysis);

}  // namespace ablate::reports
