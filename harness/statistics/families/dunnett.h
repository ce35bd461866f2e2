// Dunnett's test: several independent arms against one baseline.

#pragma once

#include <span>
#include <vector>

#include "harness/statistics/one_sample/t_test.h"

namespace ablate::statistics {

/// P(max |T_j| >= |t|) for the statistics of arms that share a baseline, jointly normal over a
/// common estimate of the variance with `degrees` degrees of freedom. `loadings`: for each arm
/// sqrt(n_j / (n_0 + n_j)), so that the correlation of two statistics is the product of theirs.
/// By fixed Gauss-Legendre rules: about a millisecond, with an error below 1e-10.
/// Source: Dunnett 1955, Journal of the American Statistical Association 50(272).
double dunnett_p(double t, std::span<const double> loadings, double degrees);

/// Compares each arm with the baseline: p is adjusted for the number of arms. Assumes independent
/// samples with one variance: for arms that share seeds, use the paired tests. Requires: two values
/// or more in all samples together than there are samples, and some spread.
std::vector<TTest> dunnett(std::span<const double> baseline,
                           const std::vector<std::vector<double>>& arms);

}  // namespace ablate::statistics
