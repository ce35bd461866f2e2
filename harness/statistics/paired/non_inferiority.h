// Non-inferiority: whether a worsening is surely too small to matter, and how large it must be to
// matter, so that a number of seeds can rule it out.

#pragma once

#include <cstdint>
#include <span>

namespace ablate::statistics {

/// The one-sided paired t-test: p of "the mean worsening is `margin` or more". A small p makes "not
/// worse by more than the margin" a finding. `worsening`: by seed, above 0 where it is worse. Values
/// without any spread but for rounding say nothing to a t-test; where they lie below the margin, p
/// is that of a sign test, 2^-n. equivalence_p() is the larger p of the two sides. Requires: two
/// values.
double non_inferiority_p(std::span<const double> worsening, double margin);

/// The probability that the one-sided paired t-test at `alpha` finds the worsening below `margin`,
/// where there is none and the `n` differences are normal: P(T > t) for the non-central T. `margin`
/// is in standard deviations of the paired difference. Exact. Requires: n >= 2, margin > 0.
double non_inferiority_power(std::int64_t n, double alpha, double margin);

/// The smallest margin that `n` seeds pass with the given power where there is no worsening, in the
/// unit of `deviation`, the standard deviation of the paired difference. At power .985 that is 1.5
/// deviations for 8 seeds. Requires: n >= 2, alpha < power < 1.
double non_inferiority_margin(double deviation, std::int64_t n, double alpha = 0.05,
                              double power = 0.985);

}  // namespace ablate::statistics
