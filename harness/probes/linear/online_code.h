// How short a code a probe gives for labels, learning them as they come. Without LibTorch.

#pragma once

#include "harness/base/rng.h"
#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes {

/// The bits of the labels if each had the same probability, over the bits that a linear model takes
/// that is fitted to a growing part of the rows and codes the next part: 1 says that the features
/// tell nothing, more that they tell the labels, and from few rows. The parts end at .1, .2, .4, .8,
/// 1.6, 3.2, 6.25, 12.5, 25, 50 and 100 % of the rows, in the order drawn by `rng`; the first has no
/// model yet. The penalty of all fits is the one of `penalties` with the shortest code, and naming it
/// takes bits, too. Penalties from large to small take the least time. Requires: at least one penalty; at
/// least two rows and two classes. Source: Voita and Titov 2020, arXiv:2003.12298, section 2.2.
double online_compression(const Observations& rows, std::int64_t classes,
                          std::span<const double> penalties, Rng rng);

}  // namespace ablate::probes
