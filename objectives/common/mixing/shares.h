// The shares of a mixture's members, constant or changing linearly over training.

#pragma once

#include <cstddef>
#include <vector>

#include "harness/contract/params.h"

namespace ablate::objectives {

/// The probabilities of members at the start and at the end of training; each list sums to 1.
struct Shares {
  std::vector<double> first, last;

  /// The member for a uniform draw from [0, 1) when the fraction `progress` of training is over.
  std::size_t drawn(double draw, double progress) const;

  double mean(std::size_t member) const { return (first[member] + last[member]) / 2; }
  bool has(std::size_t member) const { return mean(member) > 0; }
};

/// The shares divided by their sum; empty where that is 0.
std::vector<double> normalised(std::vector<double> shares);

/// Reads the parameters `shares` and `final_shares` of `members` members; the mean over corpora where
/// `shares_by_corpus` is set. Throws std::invalid_argument where they are not one for each, or sum to 0.
Shares shares_of(const Params& params, std::size_t members);

/// Reads the parameter `shares_by_corpus`: the shares of each corpus; empty where it is not set. Throws
/// as shares_of() does, and where other shares are set, too.
std::vector<Shares> shares_by_corpus(const Params& params, std::size_t members);

}  // namespace ablate::objectives
