// Cutting a text into a prefix that is read and a suffix that is predicted.
//
// Source: Raffel et al. 2020, arXiv:1910.10683, section 3.2.1, and the reference code that belongs
// to it (prefix_lm, random_prefix_noise_mask).

#pragma once

#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// How much of a text its prefix takes. Fractions are of all its tokens, special ones included.
struct PrefixDistribution {
  enum class Kind {
    fixed,    // the same fraction of every text
    uniform,  // every length alike, from the shortest that gives the expected target fraction
    beta,     // a fraction from a Beta law
  };
  Kind kind = Kind::uniform;
  double fraction = 0.5;  // fixed: of the prefix; uniform: of the targets, on average; at most .5
  double a = 1, b = 1;    // beta
};

/// Tokens of the prefix of a text, in [1, tokens - 1]; all of a text of one token. Draws once.
std::int64_t prefix_length(const PrefixDistribution& distribution, std::int64_t tokens, Rng rng);

/// The fraction of a long text that is predicted, on average.
double target_fraction(const PrefixDistribution& distribution);

/// The prefix read, the rest predicted, begin tokens apart.
Example split_at(std::span<const Token> tokens, std::int64_t prefix);

/// The exact predictor's loss on what `split_at` made of these tokens. It is told how long the text
/// is and where its documents end, both of which the length of the prefix hints at: a lower bound.
Loss prefix_optimum(const Chain& language, std::span<const Token> tokens, const Example& example);

}  // namespace ablate::objectives
