// What a model says of the scored targets of a batch.

#pragma once

#include "harness/data/batches/layout.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// One entry per scored target of a head, in the batch's order.
struct TargetScores {
  std::vector<double> costs;        // -log p(target), nats, unweighted
  std::vector<std::uint8_t> right;  // whether no other id is more likely
};

/// Runs a network of one lane on the batch: the scores of each of its heads, in their order.
/// Log-probabilities are normalised in double. Requires: a network built for those heads.
std::vector<TargetScores> score_targets(train::Network& network, const data::Batch& batch,
                                        const std::string& device);

}  // namespace ablate::probes
