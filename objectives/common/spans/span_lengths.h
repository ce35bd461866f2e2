// How long spans are, given how many there are and how many tokens they hide.
//
// The lengths are drawn independently from a law, given that they add up: the counts are exact
// whatever the law is, and the scale of the law drops out of it but for where it is cut.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::objectives {

enum class LengthDistribution {
  composition,  // every way to cut the hidden tokens into spans is equally likely
  poisson,      // lengths from a Poisson law, without its zero
  geometric,    // from a geometric law; what would be longer than the longest is of that length
};

/// What is hidden of a text, in counts.
struct Noise {
  std::int64_t tokens = 0;
  std::int64_t spans = 0;
};

/// Cuts `total` tokens into `parts` runs of at least one, every way equally likely.
/// Requires 1 <= parts <= total.
std::vector<std::int64_t> cut(std::int64_t total, std::int64_t parts, Rng& rng);

class SpanLengths {
 public:
  /// Of spans with up to the given counts. `longest`: of the geometric law.
  SpanLengths(LengthDistribution distribution, double mean, std::int64_t longest, Noise maximum);

  /// Whether that many spans can hold that many tokens.
  bool possible(Noise noise) const;

  /// The length of each span. Requires possible(noise).
  std::vector<std::int64_t> draw(Noise noise, Rng& rng) const;

  /// How likely a span of this length is beside one of another length.
  double weight(std::int64_t length) const;

  /// Whether all lengths weigh alike.
  bool is_flat() const { return probability_.empty(); }

 private:
  double chance_of_sum(Noise noise) const;

  std::vector<double> probability_;  // of a length, from 0; empty for compositions
  std::vector<double> sums_;         // [spans, tokens]: chance that so many lengths add up to that
  std::int64_t stride_ = 0;          // of sums_
};

}  // namespace ablate::objectives
