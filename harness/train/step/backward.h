// One forward and backward pass of a bank, through all of its heads.

#pragma once

#include <vector>

#include "harness/train/network/network.h"

namespace ablate::train {

/// The targets of one head, by lane.
using HeadTargets = std::vector<LaneTargets>;

/// Returns the total loss of each head's targets in nats, float32 [head, lane], without gradient.
/// Adds to the parameters' gradients those of the sum over heads and lanes of
/// scales[head][lane] * total. `scales`: float32 [head, lane], on the network's device.
///
/// With several heads the trunk runs once. Each head runs forward and backward separately over a
/// detached copy of the stream that it starts from, so that only one head's logits are in memory at
/// a time. The trunk's backward pass starts from the sum of the heads' gradients. Source: Gloeckle
/// et al. 2024, arXiv:2404.19737, section 2, "Memory-efficient implementation".
at::Tensor backpropagate(Network& network, const std::vector<HeadNeed>& needs, const Inputs& inputs,
                         const std::vector<HeadTargets>& targets, const at::Tensor& scales);

/// Total loss of each lane's pair classes in nats, [lane]; differentiable. `hidden`: [lane, batch,
/// time, width].
at::Tensor pair_losses(Network& network, const at::Tensor& hidden, const HeadTargets& targets);

}  // namespace ablate::train
