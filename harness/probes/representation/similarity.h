// Whether texts that people find alike have vectors that are.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/representation/geometry.h"

namespace ablate::probes {

/// Spearman's rank correlation; ties have the mean of their ranks. NaN where one of the two is
/// constant. Requires: as many of each.
double spearman(std::span<const double> a, std::span<const double> b);

/// The cosines of vectors 2i and 2i + 1.
std::vector<double> pair_cosines(Vectors vectors);

}  // namespace ablate::probes
