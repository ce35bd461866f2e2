// Power of the paired t-test, and how many pairs a comparison takes.

#pragma once

#include <cstdint>

namespace ablate::statistics {

/// The probability that the two-sided paired t-test rejects at `alpha`, when the `n` differences
/// are normal with mean `effect` standard deviations: P(|T| > t) for the non-central T. Exact.
/// Requires: n >= 2.
double paired_t_power(std::int64_t n, double alpha, double effect);

/// The smallest effect, in standard deviations of the paired difference, that the paired t-test
/// finds with the given power. Requires: n >= 2 and alpha < power < 1.
double paired_t_detectable_effect(std::int64_t n, double alpha, double power);

/// The pairs it takes to find, one-sided at `alpha` and with the given power, that one arm beats
/// another with `probability` of a pair, by the normal approximation; round it up.
/// Source: Noether 1987, Journal of the American Statistical Association 82(398); recommended for
/// learned models by Bouthillier et al. 2021, arXiv 2103.03098, appendix. Requires: probability is
/// not a half.
double noether_pairs(double probability, double alpha, double power);

}  // namespace ablate::statistics
