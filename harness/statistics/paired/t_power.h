// Power of the paired t-test.

#pragma once

#include <cstdint>

namespace ablate::statistics {

/// The probability that the two-sided paired t-test rejects at `alpha`, when the `n` differences
/// are normal with mean `effect` standard deviations: P(|T| > t) for the non-central T. Exact.
/// Requires: n >= 2.
double paired_t_power(std::int64_t n, double alpha, double effect);

}  // namespace ablate::statistics
