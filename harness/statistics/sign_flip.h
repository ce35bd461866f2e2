// The sign-flip permutation test of paired differences. Deterministic: exact where enumeration is
// possible, counter-based random numbers elsewhere.

#pragma once

#include <cstdint>
#include <span>

namespace ablate::statistics {

/// Two-sided sign-flip permutation test of mean zero: the fraction of the 2^n sign patterns whose
/// mean is at least as far from 0 as the observed one. Exact up to n = 32; above, estimated from
/// 2^20 keyed patterns, including the identity. 1 for no values. Requires finite values.
/// Source: Fisher 1935, "The Design of Experiments", section 21.
double sign_flip_p(std::span<const double> differences);

/// The smallest p that `n` differences can reach: 2^(1 - n); 1 below one difference.
double minimum_sign_flip_p(std::int64_t n);

/// The fewest differences whose test can give a p below `level`. Requires: 0 < level.
std::int64_t fewest_for_sign_flip(double level);

}  // namespace ablate::statistics
