// Steps in a history of values by energy statistics: a second opinion beside levels_of(), which sees
// changes of spread and shape, too.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/statistics/change_points.h"

namespace ablate::statistics {

/// How unlike the values before and from `split` on are: 0 or about it where they are alike.
///
///   2/(m+n) sum |Xi - Yj|  -  2m/((m+n)(n-1)) sum_{i<k} |Xi - Xk|  -  2n/((m+n)(m-1)) sum_{j<k} |Yj - Yk|
///
/// for n values X and m values Y. Source: Matteson and James 2014, "A nonparametric approach for
/// multiple change point analysis of multivariate data", JASA 109(505), arXiv 1306.4933, section 2,
/// with alpha = 1. Requires two values and more on either side.
double energy_statistic(std::span<const double> values, std::size_t split);

/// What a permutation test asks for.
struct EDivisive {
  double level = 0.01;              // of the test of each further step
  std::int64_t permutations = 199;  // 1 / (permutations + 1) is the smallest p
  std::uint64_t seed = 1;           // of the permutations
};

/// The history as levels: the best split is tested by permuting the values within each level, and
/// the search ends with the first that is not significant (as above, section 3). A level has two
/// values and more. The same history has the same levels. O(n^2) a permutation.
///
/// Differs: the end of the second part of a split is that of its level; the paper maximises over it,
/// too. So do Hunter (arXiv 2301.03034) and MongoDB (arXiv 2003.00584).
std::vector<Level> e_divisive(std::span<const double> history, const EDivisive& settings = {});

}  // namespace ablate::statistics
