// One draw from a model's distribution, in double precision. Without LibTorch.

#pragma once

#include <span>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// A token and its log-probability.
struct Draw {
  Token token = 0;
  double log_probability = 0;  // in nats, under the distribution that was drawn from
};

/// Draws from softmax(logits / temperature) over the ordinary ids and, where `may_end`, the end
/// token; other ids do not occur in text. `logits`: [vocabulary]; `uniform`: a random number in [0,
/// 1). Throws std::runtime_error where the logits are not finite.
Draw draw_token(std::span<const float> logits, const Vocabulary& vocabulary, bool may_end,
                double temperature, double uniform);

}  // namespace ablate::probes
