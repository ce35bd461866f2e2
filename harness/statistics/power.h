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

/// The fewest seeds whose sign-flip test finds an effect of this size, above 0, with power .8, where
/// `comparisons` tests share `alpha` as above. Absent where that takes more than kMaxForecastSeeds.
std::optional<std::int64_t> seeds_for_effect(double effect, double alpha, std::int64_t comparisons);

constexpr std::int64_t kMaxForecastSeeds = 1000;

}  // namespace ablate::statistics
