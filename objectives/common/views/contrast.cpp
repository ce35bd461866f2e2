#include "objectives/common/views/contrast.h"

#include <cmath>

namespace ablate::objectives {
namespace {

/// -log P(label) where the odds of the label 1 are `odds`.
double cost_of_label(double odds, bool together) {
  return together ? std::log1p(1 / odds) : std::log1p(odds);
}

}  // namespace

std::vector<double> pair_costs(const std::vector<double>& ratios, std::size_t pairs,
                               Contrast contrast) {
  std::vector<double> costs(pairs, 0.0);
  for (std::size_t i = 0; i < pairs; ++i) {
    double among_seconds = 0, among_firsts = 0, of_labels = 0;
    for (std::size_t j = 0; j < pairs; ++j) {
      const double ratio = ratios[i * pairs + j];
      among_seconds += ratio;
      among_firsts += ratios[j * pairs + i];
      if (pairs > 1) of_labels += cost_of_label(ratio / static_cast<double>(pairs - 1), i == j);
    }
    const double own = ratios[i * pairs + i];
    costs[i] = contrast == Contrast::sigmoid ? of_labels : std::log(among_seconds / own);
    if (contrast == Contrast::both) costs[i] = 0.5 * (costs[i] + std::log(among_firsts / own));
  }
  return costs;
}

double blind_cost(std::size_t pairs, Contrast contrast, bool hard_negatives) {
  const auto classes = static_cast<double>(pairs);
  if (contrast == Contrast::sigmoid)
    return pairs < 2 ? 0 : std::log(classes) + (classes - 1) * std::log(classes / (classes - 1));
  const double cost = std::log(contrast == Contrast::all ? 2 * classes - 1 : classes);
  if (!hard_negatives) return cost;
  const double forward = std::log(2 * classes);
  return contrast == Contrast::both ? 0.5 * (cost + forward) : forward;
}

}  // namespace ablate::objectives
