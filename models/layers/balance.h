// What keeps the experts of a layer evenly used.

#pragma once

#include <ATen/core/Tensor.h>

#include "harness/train/network/network.h"

namespace ablate::models {

/// The probabilities `shares` [lane, place, expert] of a layer's experts, float32, as they are. Their gradient is
/// that of the loss plus that of the balance of each document, `coefficient` times
///
///   sum over experts of (fraction of the document's choices * experts) * (mean probability in the document),
///
/// which is 1 where all are chosen alike, and weighs as much as the document's targets do in the loss. `chosen`:
/// int64 [lane, place, chosen]. Positions with the same first position that they see are of one document.
/// Requires: inputs with target_weights.
///
/// Source: DeepSeek-AI 2024, "DeepSeek-V3", arXiv:2412.19437, section 2.1.2, "Complementary Sequence-Wise
/// Auxiliary Loss". Differs: softmax for sigmoid.
at::Tensor balanced(const at::Tensor& shares, const at::Tensor& chosen, const train::Inputs& inputs,
                    double coefficient);

/// The target_weights of inputs as weights of the `time` places of their source, [lane, batch, time]: at the first
/// one that some places see is their sum. Requires: inputs with a source, and with target_weights.
at::Tensor weights_of_source(const train::Inputs& inputs, std::int64_t time);

/// How much the targets of each place weigh in the loss, of all heads together: float32 [lane, batch, time].
/// `targets`: by head; `scales`: float32 [head, lane].
at::Tensor target_weights(const train::Inputs& inputs,
                          const std::vector<train::HeadTargets>& targets, const at::Tensor& scales);

}  // namespace ablate::models
