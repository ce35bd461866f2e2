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

/// Reads the parameters `shares` and `final_shares` of `members` members. Throws
/// std::invalid_argument where they are not one for each, or sum to 0.
Shares shares_of(const Params& params, std::size_t members);

}  // namespace ablate::objectives
