// A metric along a swept number, seed by seed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// The values of a metric along a sweep, over the seeds that have all of them.
struct Profile {
  std::vector<double> at;                   // the swept number, ascending
  std::vector<std::vector<double>> values;  // [place of the sweep][seed]
  std::vector<const ArmResult*> arms;       // whose values they are, the subtracted ones included

  /// The difference between two places, by seed: values[to] - values[from].
  std::vector<double> difference(std::size_t from, std::size_t to) const;

  /// The mean change of the metric from one place to the next, by seed: the least-squares slope over
  /// the places' numbers.
  std::vector<double> slopes() const;
};

/// The profile of a family of arms along the number `along`, minus that of another family unless
/// `minus` is empty. Arms of which no trial has ended are left out. Empty where there is no such
/// sweep; the result points into the analysis.
std::optional<Profile> profile_of(const Analysis& analysis, const std::string& family,
                                  const std::string& minus, const std::string& along,
                                  const std::string& metric);

}  // namespace ablate::reports
