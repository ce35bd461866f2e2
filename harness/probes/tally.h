// The sums of the held-out probe: what a model, the exact predictor and the best one without
// context pay for the same targets. Without LibTorch.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::probes {

/// What the targets of one text cost. The loss and its optimum are of the same weight; the floor
/// may leave out targets that have no share of the corpus, such as a tokenizer's unknown piece.
struct TextCost {
  Loss loss;
  double optimum = 0;  // nats
  Loss context_free;
};

/// What the targets of a head other than the first cost in all.
struct HeadTally {
  HeadNeed need;
  Loss loss;
  double optimum = 0;  // nats
  bool has_optimum = false;
  std::int64_t right = 0;                 // targets that the model names
  std::map<Token, std::int64_t> targets;  // how often each is the target

  /// "held_out.loss_ahead_2" or "held_out.pair_loss", and their kin.
  void add_to(std::map<std::string, double>& metrics) const;
};

struct Tally {
  std::vector<TextCost> texts;
  std::vector<HeadTally> further;  // of the other heads, in the needs' order
  std::int64_t targets = 0;        // of weight above 0
  std::int64_t right = 0;          // targets that the model names
  double bytes = 0;                // that the targets stand for
  double cost_of_bytes = 0;        // nats, of targets that stand for any byte
  OptimumKind kind = OptimumKind::none;

  TextCost total() const;

  /// Monte-Carlo standard error of the mean excess over texts: of a ratio of sums, to first order.
  double excess_error() const;
};

/// "held_out.loss", "held_out.optimum" ... with `suffix` behind each name.
void add_losses(const Tally& tally, const std::string& suffix,
                std::map<std::string, double>& metrics);

}  // namespace ablate::probes
