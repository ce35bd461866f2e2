// What a shaped training loss asks a model to predict.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/training_loss.h"

namespace ablate::probes {

/// The distribution that has the least expected training loss where tokens follow a known distribution P. With q
/// the minimiser:
///
///   label_smoothing e   q = (1 - e) P + e / V
///   focal g             P is proportional to q / phi(q), phi(q) = (1 - q)^g - g q (1 - q)^(g - 1) log q
///                       (Charoenphakdee et al. 2021, arXiv:2011.09172)
///   entropy_weight, z   q = P
class Minimiser {
 public:
  /// `vocabulary`: V, the number of tokens that a model can predict, special ones included.
  Minimiser(const TrainingLoss& loss, std::int64_t vocabulary);

  /// -log q[target] where `distribution` is P, nats. Tokens that it does not name have probability 0.
  /// Requires: distribution[target] > 0, and that it sums to 1.
  double cost(std::span<const double> distribution, std::size_t target) const;

 private:
  /// log q where log(q / phi(q)) is `log_ratio`.
  double log_prediction(double log_ratio) const;

  TrainingLoss loss_;
  double vocabulary_;
  std::vector<double> table_;  // of log_prediction, of focal losses
};

}  // namespace ablate::probes
