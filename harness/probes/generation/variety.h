// How varied text is: distinct n-grams and repetition. Without LibTorch.

#pragma once

#include <array>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

struct Variety {
  /// Distinct n-grams over n-grams of all texts, n = 1, 2, 3. Depends on how much text there is.
  /// Source: Li et al. 2016, arXiv:1510.03055 (distinct-n).
  std::array<double, 3> distinct = {};

  /// Share of runs of four tokens that stood before in the same text.
  /// Source: Welleck et al. 2020, arXiv:1908.04319 (seq-rep-4).
  double repetition = 0;
};

/// Special ids are left out. Shares of nothing are 0.
Variety variety(std::span<const std::vector<Token>> texts);

}  // namespace ablate::probes
