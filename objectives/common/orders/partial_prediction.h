// Which tokens XLNet predicts: n-grams with context on both sides, and single tokens for the rest.
//
// Source: Yang et al. 2019, arXiv:1906.08237, section 2.3 (partial prediction) and appendix A.4;
// `_sample_mask` of its code.

#pragma once

#include <cstdint>
#include <span>

#include "harness/contract/example.h"
#include "objectives/common/masks/mask_units.h"

namespace ablate::objectives {

/// How tokens that are predicted are chosen.
struct PartialPrediction {
  double rate = 1.0 / 6;     // fraction of the tokens
  std::int64_t longest = 5;  // tokens or words of an n-gram
  std::int64_t context = 6;  // tokens around an n-gram, for each token or word of it; at least 1
  bool words = false;        // n-grams are of words, not of tokens; both begin where a word begins
};

/// Chooses `goal` places of a run of tokens, ascending. N-grams are drawn from left to right: of length n
/// with probability proportional to 1 / n, in a context of `context` * n other tokens, of which each
/// number is equally likely to be on the left. Where one does not fit any more, single tokens follow.
/// `starts`: 1 where a word begins. Requires: goal <= the number of tokens.
Positions choose_partly(const PartialPrediction& settings, std::span<const std::uint8_t> starts,
                        std::int64_t goal, Rng rng);

/// The predicted positions of a text, ascending: in each document, its share of the text's number.
/// None of them is special.
Positions predicted_partly(const PartialPrediction& settings, const Text& text, Rng rng);

}  // namespace ablate::objectives
