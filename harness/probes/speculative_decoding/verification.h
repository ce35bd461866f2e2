// The rule by which drafted tokens are kept, so that the text has the distribution of plain
// decoding. Without LibTorch.
//
// Source: Leviathan, Kalman & Matias 2023, "Fast Inference from Transformers via Speculative
// Decoding", arXiv:2211.17192, section 2.3 and appendix A.1.

#pragma once

#include "harness/base/rng.h"
#include "harness/probes/generation/token_filters/draw.h"

namespace ablate::probes {

/// What becomes of a drafted token.
struct Verification {
  bool accepted = false;
  std::size_t entry = 0;  // the entry that stands in the text: the draft's, or another one
};

/// Keeps the entry `drafted`, which was drawn from `draft`, with probability min(1, p/q), where p is
/// its probability in `target` and q in `draft`; otherwise draws an entry in proportion to
/// max(p - q, 0). Whatever `draft` is, the result has the distribution `target`. Where both hold one
/// entry alone, as in greedy decoding, it is kept if and only if they agree. Requires: distributions
/// over the same entries; q > 0.
Verification verified(const TokenDistribution& target, const TokenDistribution& draft,
                      std::size_t drafted, Rng rng);

}  // namespace ablate::probes
