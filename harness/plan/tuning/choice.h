// Chooses an arm's learning rate from what was measured at every candidate.

#pragma once

#include <optional>
#include <vector>

#include "harness/contract/metrics/metric.h"

namespace ablate::plan {

/// A learning rate that an arm has tried.
struct TriedRate {
  double rate = 0;
  std::vector<std::optional<double>> values;  // of the criterion, by tuning seed; empty: diverged

  /// Whether any of its trials diverged. It has used its budget then, and is never chosen.
  bool diverged() const;
};

/// The ends of the rates tried at which an arm does best: whether its optimum is beyond them is not
/// known.
struct Edges {
  bool low = false;
  bool high = false;

  bool any() const { return low || high; }
};

/// An arm's learning rate.
struct RateChoice {
  double rate = 0;  // the chosen one
  double best = 0;  // the one with the best mean, which the chosen one ties with
  Edges edges;
};

/// The best mean over tuning seeds wins; of the rates that tie with it, the smallest is chosen, since
/// small rates diverge less. A rate ties if it is worse by at most one standard error of the
/// difference, paired by seed; with one seed, if it is equal. The order of `tried` does not matter.
/// None if trials diverged at every rate. Requires: all rates were tried with the same seeds.
std::optional<RateChoice> choose_rate(std::vector<TriedRate> tried, Better better);

/// The edges of all arms together, which rates are extended beyond for every arm alike. An arm that
/// diverged at every rate asks for lower ones.
Edges edges_of(const std::vector<std::optional<RateChoice>>& choices);

/// The rates, with up to `count` more beyond each edge, each in the ratio of the last two. Rates
/// outside the range of the setting are not added. Requires: at least two rates, ascending.
std::vector<double> extended(std::vector<double> rates, Edges edges, std::int64_t count);

}  // namespace ablate::plan
