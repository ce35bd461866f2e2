// Which of two swept arms is ahead, from where on.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/sweeps/sweeps.h"

namespace ablate::reports {

/// Two families of arms that sweep over the same number, in one metric.
struct SweptPair {
  std::string parameter;               // "train.budget.tokens"
  std::string first, second;           // names of the families
  std::vector<const ArmResult*> arms;  // of both
  const MetricRow* metric = nullptr;
  double from = 0, to = 0;          // the smallest and largest value that both have
  Estimate at_start, at_end;        // second - first there, over the seeds that are complete
  std::size_t changes = 0;          // of the sign of the mean difference
  std::optional<double> crossing;   // where there is one change, interpolated
  std::optional<double> low, high;  // its 95 % interval; empty where it reaches `from` or `to`

  /// Whether one is ahead on one side of the crossing and the other on the other side: its interval
  /// reaches neither end.
  bool established() const { return crossing && low && high; }

  /// The family that is ahead on average where the number is smallest, or largest.
  const std::string& ahead(const Estimate& difference) const;
};

/// Fills in the crossing and the changes of sign of a pair. `values`: of the number, ascending;
/// `differences`: [value][seed], second - first.
void find_crossing(const std::vector<double>& values,
                   const std::vector<std::vector<double>>& differences, SweptPair& pair);

/// Every two families that share at least three values of a swept number, in every metric that has
/// a better direction and may be compared between all their arms. Along numbers of which the largest
/// is more than ten times the smallest, differences are interpolated over the logarithm. The result
/// points into the analysis.
std::vector<SweptPair> swept_pairs(const Analysis& analysis);

}  // namespace ablate::reports
