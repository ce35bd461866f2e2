// Draws the lengths of spans, given the number of spans and of hidden tokens.
//
// Lengths are independent draws from a distribution, conditioned on their sum. The counts are
// therefore exact under every distribution, and its scale only matters where it is truncated.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::objectives {

enum class LengthDistribution {
  composition,  // every way to cut the hidden tokens into spans is equally likely
  poisson,      // a zero-truncated Poisson distribution
  geometric,    // a geometric distribution; longer draws are clipped to the maximum length
};

/// How many tokens of a text are hidden, and in how many spans.
struct Noise {
  std::int64_t tokens = 0;
  std::int64_t spans = 0;
};

/// Cuts `total` tokens into `parts` runs of at least one token, every way equally likely; returns
/// the lengths of the runs. Requires: 1 <= parts <= total.
std::vector<std::int64_t> cut(std::int64_t total, std::int64_t parts, Rng& rng);

/// Draws span lengths that add up to a given number of tokens.
class SpanLengths {
 public:
  /// Prepares draws of up to `maximum` tokens and spans. `mean` and `longest` are in tokens;
  /// `longest` applies to the geometric distribution.
  SpanLengths(LengthDistribution distribution, double mean, std::int64_t longest, Noise maximum);

  /// Whether noise.spans lengths can add up to noise.tokens.
  bool possible(Noise noise) const;

  /// Draws the length of each span, tokens. Requires: possible(noise).
  std::vector<std::int64_t> draw(Noise noise, Rng& rng) const;

  /// The relative weight of a span of this length; 0 if impossible.
  double weight(std::int64_t length) const;

  /// Whether all lengths have equal weight.
  bool is_flat() const { return probability_.empty(); }

 private:
  /// P(noise.spans independent lengths add up to noise.tokens).
  double probability_of_sum(Noise noise) const;

  std::vector<double> probability_;  // by length, from 0; empty for compositions
  std::vector<double> sums_;         // [spans, tokens]: P(so many lengths add up to so many tokens)
  std::int64_t stride_ = 0;          // of sums_
};

}  // namespace ablate::objectives
