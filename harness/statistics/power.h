// What an experiment can and cannot show, computed before it is run.

#pragma once

#include <cstdint>
#include <optional>

namespace ablate::statistics {

/// Power of the sign-flip test (p < alpha) when the differences are normal with mean `effect`
/// standard deviations. In closed form where only unanimous signs reach alpha; up to n = 16 by
/// keyed simulation (the same each time, standard error at most .008); above that the power of the
/// paired t-test, which it approaches.
double sign_flip_power(std::int64_t n, double alpha, double effect);

/// The smallest effect (in standard deviations of the paired difference) that the sign-flip test
/// finds with power .8 when `comparisons` tests share `alpha` under Holm's correction (at its first
/// step: alpha / comparisons). Absent where the seeds cannot reach significance at all.
std::optional<double> minimum_detectable_effect(std::int64_t n, double alpha,
                                                std::int64_t comparisons);

}  // namespace ablate::statistics
