// How far apart two samples of texts lie, by features of a judge: MAUVE.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"

namespace ablate::probes {

/// The area under the divergence curve of two distributions over the same cells, in (0, 1]; 1 for
/// equal ones. The curve has the points (exp(-5 KL(q, r)), exp(-5 KL(p, r))) of 25 mixtures
/// r = w p + (1 - w) q, and (1, 0) and (0, 1); the area is the mean of those along both axes.
/// Source: Pillutla et al. 2021, arXiv:2102.01454, section 2. Requires: as many of p as of q; each
/// sums to 1.
double divergence_area(std::span<const double> p, std::span<const double> q);

/// MAUVE of two samples: the divergence area of their histograms over clusters of all their
/// features, which are scaled to unit length and reduced to the principal components that hold 90 %
/// of their variance. The mean over five clusterings with one cluster for 50 texts of a sample; with
/// fewer than 1,000 texts there are 20 clusters, and with fewer than 200 one for 10 texts. Two samples
/// of one distribution do not reach 1: compare with the score of two halves of real text.
/// Features: [count, width]. Requires: at least two texts in each.
/// Differs: Pillutla et al. use one cluster for 10 texts and one clustering, under which two samples
/// of one distribution score .965 whatever their size.
double mauve(std::span<const float> p, std::span<const float> q, std::size_t width, const Rng& rng);

}  // namespace ablate::probes
