// The distribution of fill-in-the-middle examples: where texts are cut, and how likely the
// resulting targets are.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// How texts are cut and rearranged.
struct MiddleDistribution {
  double rate = 0;          // probability that a text is transformed
  double spm_rate = 0;      // fraction of the transformed texts that show the suffix first (SPM)
  bool first_form = false;  // SPM variant 1, where the prefix has its own mark
  bool characters = false;  // ids are bytes, and cuts fall between UTF-8 characters
  bool documents = false;   // transform complete documents instead of the parts in each window
};

/// Positions where a text of bytes may be cut, ascending: 0, its size, and every position between
/// two UTF-8 characters.
std::vector<std::size_t> character_places(std::span<const Token> text);

/// -log P(scored targets | unscored targets before them). A lower bound: the predictor knows how
/// many tokens of the document fit in the window, which a model does not. Requires: targets from
/// one document's part, all of them scored except a begin token, or else the first.
Loss optimum_of(const MiddleDistribution& distribution, const Chain& language,
                const Example& example);

/// The loss of predicting each target by its frequency among the targets of texts of `tokens`
/// scored tokens; each of the four marks occurs in a fraction `rate` of these texts. As in
/// causal_lm, ids that are missing from the unigram are not scored.
Loss context_free_of(const MiddleDistribution& distribution, std::span<const double> unigram,
                     const Example& example, double tokens);

}  // namespace ablate::objectives
