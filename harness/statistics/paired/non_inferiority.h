// Non-inferiority: how large a worsening must be to matter, so that a number of seeds can rule it out.

#pragma once

#include <cstdint>

namespace ablate::statistics {

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
