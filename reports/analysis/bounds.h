// What a metric is read against: its floor, which needs no training, and its ceiling.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// A value that a metric is read against, made of other metrics of its probe.
struct Bound {
  bool floor = false;  // otherwise what the best possible model reaches
  std::vector<std::pair<std::string, double>> terms;  // metrics and their factors; their sum

  /// "held_out.context_free less held_out.optimum"; "0" where there are no terms.
  std::string text() const;
};

/// The bounds of a metric, best known first. A loss at a common setting, `loss_at_15`, has those of
/// that setting. Empty for metrics that are read by themselves.
std::vector<Bound> bounds_of(const std::string& metric);

}  // namespace ablate::reports
