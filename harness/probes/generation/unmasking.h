// Draws text by unmasking.

#pragma once

#include <vector>

#include "harness/probes/generation/sampling.h"

namespace ablate::probes {

/// A text whose length is known before it is drawn.
struct MaskedText {
  std::vector<Token> tokens;  // begin token, prompt, mask tokens, and the end token where it ends
  std::size_t given = 1;      // begin token and prompt
};

/// Draws the masked tokens of each text in `rounds` rounds (at most one per mask; 0: one per mask),
/// in a uniformly random order keyed by sample. The tokens of one round are drawn independently,
/// given the tokens already there. With one token per round and exact conditional distributions the
/// samples are exact. Source: Uria, Murray & Larochelle 2014, arXiv:1310.1757 (uniformly random
/// order); Hoogeboom et al. 2022, arXiv:2110.02037 (several tokens per round). Differs:
/// tokens are drawn, where mask-predict (Ghazvininejad et al. 2019, arXiv:1904.09324) keeps the
/// likeliest, because that sharpens the samples, and their probability would no longer measure the
/// model.
std::vector<Sample> draw_by_unmasking(const Sampler& sampler, const std::vector<MaskedText>& masked,
                                      std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes
