// The denoising score entropy of masked positions.
//
// Source: Lou, Meng & Ermon 2024, "Discrete Diffusion Modeling by Estimating the Ratios of the Data
// Distribution", arXiv:2310.16834, section 3.2 (the loss) and appendix C (the absorbing graph).

#pragma once

#include <ATen/core/Tensor.h>

namespace ablate::models {

/// The loss of positions whose tokens are hidden by masks, divided by the ratio r = e^-sigma / (1 -
/// e^-sigma) of their time, in nats: [...] of `logits` [..., token] and `targets` (int64 [...]). A score is
/// s = r exp(logit), and the loss that is left of it is
///
///   sum of exp(logit) - 1 - logit of the target
///
/// which is at least the cross-entropy, and is the same where exp(logit) adds up to 1. With the
/// log-linear schedule r times its rate is 1 / t, masked diffusion's weight. Differentiable.
at::Tensor score_entropy(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace ablate::models
