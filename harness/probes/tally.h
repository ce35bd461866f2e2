// The sums of the held-out probe: what a model, the exact predictor and the best one without
// context pay for the same targets. Without LibTorch.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/contract/loss.h"

namespace ablate {

/// What one text cost, in nats, and the weight of its targets.
struct TextCost {
  double loss = 0;
  double optimum = 0;
  double context_free = 0;
  double weight = 0;
};

struct Tally {
  std::vector<TextCost> texts;
  std::int64_t targets = 0;  // of weight above 0
  std::int64_t right = 0;    // targets that the model names
  double bytes = 0;          // that the targets stand for
  double cost_of_bytes = 0;  // nats, of targets that stand for any byte
  OptimumKind kind = OptimumKind::none;

  TextCost total() const;

  /// Monte-Carlo standard error of the mean excess over texts: of a ratio of sums, to first order.
  double excess_error() const;
};

/// "held_out.loss", "held_out.optimum" ... with `suffix` behind each name.
void add_losses(const Tally& tally, const std::string& suffix,
                std::map<std::string, double>& metrics);

}  // namespace ablate
