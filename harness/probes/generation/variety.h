// The variety of text: distinct n-grams and repetition. Without LibTorch.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::probes {

/// Measures of variety, all fractions.
struct Variety {
  /// Distinct n-grams over all n-grams, for n = 1, 2, 3. Nothing of too little text: the values fall
  /// with the number of tokens, so they are comparable over equal numbers alone.
  /// Source: Li et al. 2016, arXiv:1510.03055 (distinct-n).
  std::optional<std::array<double, 3>> distinct;

  /// The mean over texts of the fraction of a text's runs of four tokens that occurred earlier in it.
  /// Texts of fewer than four tokens are left out.
  /// Source: Welleck et al. 2020, arXiv:1908.04319 (seq-rep-4).
  double repetition = 0;
};

/// The variety of the texts, special ids left out. Distinct n-grams are counted in the first
/// `counted_tokens` tokens of the texts, taken one after the other, of which the last is truncated;
/// no n-gram spans two texts. Repetition is that of all texts, and 0 where none has four tokens.
Variety variety(std::span<const std::vector<Token>> texts, std::size_t counted_tokens);

}  // namespace ablate::probes
