// Denoising score entropy: the loss of learned ratios of probabilities, under noise that puts masks or
// uniform tokens in the place of a text's.
//
// Source: Lou, Meng & Ermon 2024, "Discrete Diffusion Modeling by Estimating the Ratios of the Data
// Distribution", arXiv:2310.16834, section 3.2 (the loss) and appendix C (both graphs).

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

/// What noise has left of some tokens, which it keeps with a probability and otherwise replaces by one of
/// all tokens, each equally probable.
struct UniformNoise {
  at::Tensor shown;  // int64 [...]: the token that stands at the place, in [0, tokens)
  at::Tensor kept;   // [...]: the probability e^-sigma of being kept, in (0, 1)
};

/// The loss of positions under uniform noise, before the rate of the time, in nats: [...] of the log of
/// scores [..., token] and `targets` (int64 [...], in [0, tokens)). The score of token y is to be the
/// ratio of probabilities of y and of the token shown, and that of the latter is not read. With r_y the
/// ratio given the target, it is the mean over tokens of
///
///   s_y - r_y - r_y log(s_y / r_y)     which is 0 for the token shown
///
/// Differentiable.
at::Tensor uniform_score_entropy(const at::Tensor& log_scores, const at::Tensor& targets,
                                 const UniformNoise& noise);

/// The log of the scores [..., token] that a distribution of the tokens before the noise implies, given
/// its logits (Schiff et al. 2024, "Simple Guidance Mechanisms for Discrete Diffusion Models",
/// arXiv:2412.10193, section 4). Differentiable.
at::Tensor denoised_scores(const at::Tensor& logits, const UniformNoise& noise);

}  // namespace ablate::models
