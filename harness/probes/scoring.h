// The cost of each scored target of a batch under a model.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// One entry per scored target of a head, in the batch's order.
struct TargetScores {
  std::vector<double> costs;        // -log p(target), in nats, unweighted
  std::vector<std::uint8_t> right;  // 1 where the target is the model's first choice, else 0
  std::vector<Token> targets;  // what was scored: where a head fills masks, not the batch's labels,
                               // but those of its samples
};

/// What the samples of a head that fills the masks are keyed by where it is scored.
struct ScoringKey {
  std::uint64_t seed = 0;
  std::int64_t first_row = 0;  // the number of the batch's first row among all that are scored
};

/// Runs a network of one lane on the batch and returns the scores of each head, in the order of
/// `batch.scored`. Where one fills the masks, the others are scored on the filled batch.
/// Log-probabilities are normalised in double. Requires: the network was built for these heads.
std::vector<TargetScores> score_targets(train::Network& network, const data::Batch& batch,
                                        const std::string& device, const ScoringKey& key = {});

}  // namespace ablate::probes
