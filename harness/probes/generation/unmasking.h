// Drawing text by unmasking.

#pragma once

#include <vector>

#include "harness/probes/generation/sampling.h"

namespace ablate::probes {

/// A text whose length is known before it is drawn.
struct MaskedText {
  std::vector<Token> tokens;  // begin token, prompt, mask tokens, and the end token where it ends
  std::size_t given = 1;      // begin token and prompt
};

/// Draws the masked tokens of each frame in `rounds` rounds (at most as many as there are masks; 0:
/// one each), in an order that is uniform over all orders and keyed by sample. Tokens of one round
/// are drawn independently of each other given what stands there already; with one a round and
/// exact conditional distributions the samples are exact. Source: Uria, Murray & Larochelle 2014,
/// arXiv:1310.1757 (an order drawn uniformly); Hoogeboom et al. 2022, arXiv:2110.02037 (several a
/// round). Differs from mask-predict (Ghazvininejad et al. 2019, arXiv:1904.09324), which keeps the
/// likeliest tokens: that sharpens the samples, and how likely they are would no longer tell how
/// good the model is.
std::vector<Sample> draw_by_unmasking(const Sampler& sampler, const std::vector<MaskedText>& masked,
                                      std::int64_t rounds, const SamplingProgress& progress);

}  // namespace ablate::probes
