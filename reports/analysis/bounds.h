// What a metric is read against: its floor, which needs no training, and its ceiling.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// How a bound in another unit becomes one in the metric's.
enum class Conversion {
  none,
  per_byte,  // from nats: the metric is the loss of the same tokens in bits/byte, so both have one quotient
  exponential  // from nats: the metric is exp(loss)
};

/// A value that a metric is read against, made of other metrics of its probe.
struct Bound {
  bool floor = false;  // otherwise what the best possible model reaches
  std::vector<std::pair<std::string, double>> terms;  // metrics and their factors; their sum
  double constant = 0;                                // where there are no terms
  Conversion conversion = Conversion::none;           // of the sum
  std::string per =
      {};  // of per_byte: the metric that the same tokens' loss is, in the terms' unit

  /// "held_out.context_free minus held_out.optimum"; the constant, "0", where there are no terms.
  std::string text() const;

  /// The metrics that it is computed from, beside the one that it bounds.
  std::vector<std::string> metrics() const;
};

/// The bounds of a metric, best known first. A loss at a common setting, `loss_at_15`, has those of
/// that setting; the same loss in bits/byte or as a perplexity has them in its unit. Empty for metrics that are read by themselves.
std::vector<Bound> bounds_of(const std::string& metric);

}  // namespace ablate::reports
