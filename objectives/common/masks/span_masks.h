// Text infilling: spans of a text, of Poisson lengths, each behind a single mask.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::objectives {

enum class SpanPlacement {
  exact,      // spans do not overlap: what is hidden is what was asked for
  reference,  // fairseq's: spans start anywhere and may overlap, so that less is hidden
};

struct SpanMasks {
  double rate = 0;  // of the tokens, the fraction that spans are drawn to hide
  SpanPlacement distribution = SpanPlacement::exact;
  std::vector<double> lengths;  // P(a span has at most this many tokens), by length
};

/// The Poisson law of span lengths as sums: cut where longer ones are less likely than
/// 1e-7 or have 128 tokens, as in fairseq, and summing to 1.
std::vector<double> poisson_sums(double mean);

enum class Fate : std::uint8_t { shown, mask, gone };

/// What becomes of each of some tokens.
struct Masked {
  std::vector<Fate> fates;          // mask: a span's first token, shown as its mask
  std::vector<std::int64_t> stray;  // a mask that stands for nothing is shown before each of
                                    // these tokens, ascending; the number of tokens: at the end
};

/// Draws spans over `tokens` tokens. The length drawn last is cut to what is left to hide. Spans of
/// length 0 become stray masks, no more of them than leave the whole as long as it was.
Masked draw_masks(const SpanMasks& settings, std::int64_t tokens, Rng rng);

}  // namespace ablate::objectives
