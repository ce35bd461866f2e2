// Text infilling: replaces spans of Poisson length with a single mask each.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::objectives {

enum class SpanPlacement {
  exact,      // spans do not overlap, so the requested fraction is hidden
  reference,  // fairseq: spans start anywhere and may overlap, so less is hidden
};

/// How spans to mask are drawn.
struct SpanMasks {
  double rate = 0;  // fraction of the tokens that spans are drawn to hide
  SpanPlacement placement = SpanPlacement::exact;
  std::vector<double> lengths;  // lengths[n] = P(a span has at most n tokens)
};

/// P(length <= n), n = 0, 1, ..., of the Poisson distribution with this mean (tokens). As in
/// fairseq, truncated at 128 tokens or where the probability falls below 1e-7, and renormalised.
std::vector<double> poisson_cumulative(double mean);

/// What the transform does with a token: keep it, replace it with a mask, or remove it.
enum class MaskAction : std::uint8_t { keep, mask, remove };

/// The outcome of drawing spans over a run of tokens.
struct Masked {
  std::vector<MaskAction> actions;  // by token; mask: the first token of a span
  std::vector<std::int64_t> stray;  // masks that hide nothing: each stands before this token,
                                    // ascending; the number of tokens stands for the end
};

/// Draws spans over `tokens` tokens. The last length is cut to what is left to hide. Spans of
/// length 0 become stray masks, at most as many as keep the result no longer than `tokens`.
Masked draw_masks(const SpanMasks& settings, std::int64_t tokens, Rng rng);

}  // namespace ablate::objectives
