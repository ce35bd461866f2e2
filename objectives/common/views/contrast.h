// What it costs to tell which passages of a step belong together, given how much likelier each two are
// together than apart.

#pragma once

#include <cstddef>
#include <vector>

namespace ablate::objectives {

/// How the passages of a step are compared.
enum class Contrast {
  one,      // each first passage with all second ones
  both,     // and each second one with all first ones: the mean of the two costs
  all,      // each with all passages of the step
  sigmoid,  // each two of them, whether they belong together
};

/// The cost of each pair of a step in nats for a predictor that compares two passages at a time, and knows
/// of no two more than their ratio. `ratios`: P(first i, second j) / P(first i) / P(second j), row-major
/// [first, second]. Of classes P(j) is proportional to the ratio: van den Oord et al. 2018,
/// arXiv:1807.03748, section 2.3. Of labels the odds are the ratio times those of any two, 1 to pairs - 1;
/// so they, unlike classes, need the ratio to its factor. Requires: contrast is not `all`.
std::vector<double> pair_costs(const std::vector<double>& ratios, std::size_t pairs,
                               Contrast contrast);

/// The cost of a pair for a predictor that finds every two passages equally likely to belong together.
/// `hard_negatives`: whether each first passage has as many further classes as there are pairs.
double blind_cost(std::size_t pairs, Contrast contrast, bool hard_negatives);

}  // namespace ablate::objectives
