// What training minimises in the place of the plain loss of tokens.

#pragma once

namespace ablate {

/// How the loss of each predicted token is shaped in training. With q the model's distribution over the vocabulary of V
/// tokens, y the target, and H(q) the entropy of q, nats:
///
///     label_smoothing e   (1 - e) (-log q[y]) + e / V sum_v (-log q[v])
///     focal g             (1 - q[y])^g (-log q[y])
///     entropy_weight g    (1 + H(q))^g (-log q[y]), the weight without gradient
///     z c                 plus c (log Z)^2, where Z is the sum of exp(logit)
///
/// At most one of the first three is not 0. Held-out losses are always plain.
///
/// Sources: Szegedy et al. 2016, arXiv:1512.00567, section 7; Lin et al. 2017, arXiv:1708.02002, section 3.2;
/// Su et al. 2023, "MiLe Loss", arXiv:2310.19531, section 3; Chowdhery et al. 2022, "PaLM",
/// arXiv:2204.02311, section 5.
struct TrainingLoss {
  double label_smoothing = 0;
  double focal = 0;
  double entropy_weight = 0;
  double z = 0;

  /// Whether it is the plain loss.
  bool plain() const { return *this == TrainingLoss(); }

  bool operator==(const TrainingLoss&) const = default;
};

}  // namespace ablate
