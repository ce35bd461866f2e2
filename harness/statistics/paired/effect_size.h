// How large a paired difference is, in units that do not depend on the metric.

#pragma once

#include <optional>
#include <span>

namespace ablate::statistics {

/// d_z: the mean difference in standard deviations of the difference. Absent below two values and
/// where they have no spread but rounding. Source: Cohen 1988, "Statistical Power Analysis",
/// section 2.3.5.
std::optional<double> standardized_difference(std::span<const double> differences);

/// The fraction of the differences above zero, a tie counted a half: with pairs (A, B) an estimate
/// of P(A > B). Source: Bouthillier et al. 2021, arXiv 2103.03098, section 4. Requires a value.
double probability_above_zero(std::span<const double> differences);

/// (Var a + Var b) / Var(a - b): by how much common random numbers shrank the variance of the
/// difference, which is also how many times as many independent seeds would be needed. 1 where
/// pairing saves nothing. Absent below two pairs and where the difference has no spread but
/// rounding. Requires: a and b are of the same seeds.
std::optional<double> variance_ratio_of_pairing(std::span<const double> a,
                                                std::span<const double> b);

}  // namespace ablate::statistics
