// One forward and backward pass of a bank, all heads of it.

#pragma once

#include <vector>

#include "harness/train/network/network.h"

namespace ablate::train {

/// What one head predicts, by lane.
using HeadTargets = std::vector<LaneTargets>;

/// Total cost of each head's targets, float32 [head, lane], without gradient; leaves in the
/// parameters' gradients the sum over heads and lanes of shares[head][lane] * total. `shares`:
/// float32 [head, lane], on the network's device.
///
/// With several heads the trunk runs once. Each head runs forward and backward by itself over a
/// detached copy of the stream that it starts from, so that the logits of one head alone are in
/// memory, and the trunk's backward pass starts from the sum of what the heads ask of it. Source:
/// Gloeckle et al. 2024, arXiv:2404.19737, section 2, "Memory-efficient implementation".
at::Tensor backpropagate(Network& network, const std::vector<HeadNeed>& needs, const Inputs& inputs,
                         const std::vector<HeadTargets>& targets, const at::Tensor& shares);

/// Total cost of a pair's classes by lane, [lane]; differentiable.
at::Tensor pair_losses(Network& network, const at::Tensor& hidden, const HeadTargets& targets);

}  // namespace ablate::train
