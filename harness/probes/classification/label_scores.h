// How well predicted labels agree with the true ones. Without LibTorch.

#pragma once

#include <cstdint>
#include <span>

namespace ablate::probes {

/// Two fractions in [0, 1].
struct LabelScores {
  double accuracy = 0;

  /// The mean over labels of the harmonic mean of precision and recall; labels that neither occur
  /// nor are predicted do not count. Source: Opitz and Burst 2019, arXiv:1911.03347 (the averaged
  /// F1).
  double macro_f1 = 0;
};

/// The scores of `named` against `labels`. Requires: as many of one as of the other, at least one,
/// all in [0, classes).
LabelScores label_scores(std::span<const std::int32_t> named, std::span<const std::int32_t> labels,
                         std::int32_t classes);

}  // namespace ablate::probes
