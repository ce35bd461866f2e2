// A linear probe that gives probabilities: the softmax of a linear map of features.

#pragma once

#include <vector>

#include "harness/probes/linear/linear_probe.h"

namespace ablate::probes {

/// The probabilities of `classes` classes that the rows of the three splits are to be given: [row,
/// classes], each row summing to 1.
struct SplitProbabilities {
  std::int64_t classes = 0;
  std::vector<double> training, development, test;
};

/// How far the probabilities of a probe are from those that its rows are to be given: KL(wanted || given),
/// nats per row.
struct SoftmaxProbe {
  double penalty = 0;                // of {.1, .01, .001, 1e-4}, chosen on the development rows
  double development = 0, test = 0;  // means
  std::vector<double> of_rows;       // of the test rows
};

/// Fits to the training rows with each penalty, from large to small, until the development rows can tell no
/// more. Throws std::runtime_error where the features are not finite.
SoftmaxProbe fit_softmax(const SplitFeatures& features, const SplitProbabilities& wanted);

}  // namespace ablate::probes
