// The sign-flip test of paired differences that are looked at several times.
//
// Seeds are added in groups, and after each group one may stop. Testing each time at alpha would find
// a difference where there is none too often: .10 instead of .05 over three looks. The test counts
// the looks into its p:
//
//   p_l   the sign-flip p of the differences up to look l
//   w_l   the part of alpha that look l may take; they add up to 1
//   t     the smallest p_l / w_l so far
//   p     P(some look l so far has p_l / w_l <= t) + t (the sum of w over the looks to come)
//
// The probability is that of all 2^n patterns of signs of the differences seen so far, so the first
// term knows how strongly one look depends on the ones before it. The second term keeps back what the
// looks to come may take, whatever their differences will be.
//
// The test holds its level however one stops: p never rises from a look to the next, since the next
// look's probability adds at most t w to the first term and takes t w from the second; and after the
// last look p is the exact permutation p of the statistic t. So p <= alpha at any look implies
// p <= alpha after the last one, which has probability alpha at most. p can be adjusted for several
// arms by Holm's method like any other. With one look it is the p of the plain test.
//
// Source: Tippett 1931 (the smallest p as a statistic); Westfall and Young 1993, "Resampling-Based
// Multiple Testing", section 2 (its exact permutation distribution); Lan and DeMets 1983, Biometrika
// 70(3) (spending alpha over looks).

#pragma once

#include <span>
#include <vector>

namespace ablate::statistics {

/// The differences by look: those of the first look, then those that each look added. A look may have
/// added none.
using DifferencesByLook = std::vector<std::vector<double>>;

/// Before they are compared, differences are rounded to multiples of 1 / kLookSteps of the sum of the
/// sizes at the first look, and those that are more than kMaxLookSizes times this sum are cut to it.
/// Both treat signs alike, so that the test holds its level exactly.
constexpr double kLookSteps = 4096;
constexpr double kMaxLookSizes = 8;

/// p after the looks so far. `weights`: of all looks that are planned. With one planned look it is
/// sign_flip_p(). 1 before the first look. Requires: no more looks than weights; finite differences.
double sequential_sign_flip_p(const DifferencesByLook& differences,
                              std::span<const double> weights);

/// The level at which the differences at the last look so far, tested alone, reach p <= alpha: that
/// of an interval that fits the test. With one planned look it is alpha. Requires as above, and a
/// look.
double level_at_look(const DifferencesByLook& differences, std::span<const double> weights,
                     double alpha);

/// p of a test of another kind after the looks so far: the smallest p_l / w_l, at most 1. It holds
/// its level by Bonferroni's inequality, whatever the test. `p`: of the test at each look so far.
double sequential_p(std::span<const double> p, std::span<const double> weights);

}  // namespace ablate::statistics
