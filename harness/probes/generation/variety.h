// The variety of text: distinct n-grams and repetition. Without LibTorch.

#pragma once

#include <array>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// Measures of variety, all fractions.
struct Variety {
  /// Distinct n-grams over all n-grams of the texts, for n = 1, 2, 3. Depends on the amount of
  /// text. Source: Li et al. 2016, arXiv:1510.03055 (distinct-n).
  std::array<double, 3> distinct = {};

  /// The fraction of runs of four tokens that occurred earlier in the same text.
  /// Source: Welleck et al. 2020, arXiv:1908.04319 (seq-rep-4).
  double repetition = 0;
};

/// The variety of the texts, special ids left out. A fraction of nothing is 0.
Variety variety(std::span<const std::vector<Token>> texts);

}  // namespace ablate::probes
