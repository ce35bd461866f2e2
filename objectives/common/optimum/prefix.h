// Splits a text into a prefix that is read and a suffix that is predicted.
//
// Source: Raffel et al. 2020, arXiv:1910.10683, section 3.2.1, and its reference code (prefix_lm,
// random_prefix_noise_mask).

#pragma once

#include <map>
#include <mutex>
#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// The distribution of prefix lengths. Fractions are of all tokens of a text, special ones
/// included.
struct PrefixDistribution {
  enum class Kind {
    fixed,    // the same fraction of every text
    uniform,  // every length equally likely, from the shortest that gives the mean target fraction
    beta,     // a fraction drawn from Beta(a, b)
  };
  Kind kind = Kind::uniform;
  double fraction = 0.5;  // fixed: of the prefix; uniform: mean fraction of targets, at most 0.5
  double a = 1, b = 1;    // beta: shape parameters
};

/// Draws the length of the prefix, tokens, in [1, tokens - 1]; `tokens` for a text of at most one.
std::int64_t prefix_length(const PrefixDistribution& distribution, std::int64_t tokens, Rng rng);

/// The mean length of the prefixes of texts with so many tokens. Requires: tokens > 1.
double mean_prefix(const PrefixDistribution& distribution, std::int64_t tokens);

/// mean_prefix(), computed once for each length that is asked for: a Beta distribution's takes time
/// in proportion to the length. Thread-safe.
class MeanPrefixes {
 public:
  explicit MeanPrefixes(const PrefixDistribution& distribution) : distribution_(distribution) {}

  /// The mean length of the prefixes of texts with so many tokens. Requires: tokens > 1.
  double of(std::int64_t tokens);

 private:
  const PrefixDistribution distribution_;
  std::mutex mutex_;
  std::map<std::int64_t, double> known_;
};

/// The mean fraction of a long text that is predicted.
double target_fraction(const PrefixDistribution& distribution);

/// An example that reads the first `prefix` tokens and predicts the others. Begin tokens among the
/// targets are unscored.
Example split_at(std::span<const Token> tokens, std::int64_t prefix);

/// The question in the format of split_at(): the prefix is what is left of the target.
std::vector<Example> prefix_cloze(const Cloze& cloze);

/// The question whether the document ends after the target; none where more follows.
std::vector<Example> prefix_stop(const Cloze& cloze);

/// The exact predictor's loss on an example that split_at made of these tokens. A lower bound: the
/// predictor knows the length of the text and where its documents end, which the length of the
/// prefix only hints at.
Loss prefix_optimum(const Chain& language, std::span<const Token> tokens, const Example& example);

}  // namespace ablate::objectives
