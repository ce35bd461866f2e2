// One draw from a model's distribution, in double and by a keyed number. Without LibTorch.

#pragma once

#include <span>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

struct Draw {
  Token token = 0;
  double log_probability = 0;  // nats, under the distribution that was drawn from
};

/// Draws from softmax(logits / temperature) over ordinary ids, and the end token where `may_end`:
/// other ids have no place in text. `logits` [vocabulary]; `uniform` in [0, 1). Throws
/// std::runtime_error where the logits are not finite.
Draw draw_token(std::span<const float> logits, const Vocabulary& vocabulary, bool may_end,
                double temperature, double uniform);

}  // namespace ablate::probes
