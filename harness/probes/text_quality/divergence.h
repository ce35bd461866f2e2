// How far apart two samples of texts lie, by features of a judge: MAUVE and its companions.

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

/// The frontier integral of two distributions over the same cells, in [0, 1]: 0 for equal ones, 1 for
/// ones without a common cell. Unlike the area it has no parameter. It is twice the integral over w of
/// w KL(p, r) + (1 - w) KL(q, r), with the mixtures r above, in closed form.
/// Source: Liu et al. 2021, arXiv:2106.07898, section 2. Requires: as for divergence_area().
double frontier_integral(std::span<const double> p, std::span<const double> q);

/// How far apart two samples lie, by histograms over clusters of their features.
struct TextDivergence {
  double mauve = 0;     // divergence area, in (0, 1]
  double smoothed = 0;  // the same with half a text added to every cell (Krichevsky and Trofimov)
  double frontier = 0;  // frontier integral, in [0, 1]: lower is closer
};

/// The divergence of two samples of texts: that of their histograms over clusters of all their
/// features, which are scaled to unit length and reduced to the principal components that hold 90 %
/// of their variance. The mean over five clusterings with one cluster for 50 texts of a sample; with
/// fewer than 1,000 texts there are 20 clusters, and with fewer than 200 one for 10 texts. Two samples
/// of one distribution do not reach 1: compare with the score of two halves of real text.
/// Features: [count, width]. Requires: at least two texts in each.
/// Source: Pillutla et al. 2021, arXiv:2102.01454, section 3; smoothing: Pillutla et al. 2023,
/// arXiv:2212.14578, section 4.
/// Differs: Pillutla et al. use one cluster for 10 texts and one clustering, under which two samples
/// of one distribution score .965 whatever their size.
TextDivergence text_divergence(std::span<const float> p, std::span<const float> q,
                               std::size_t width, const Rng& rng);

}  // namespace ablate::probes
