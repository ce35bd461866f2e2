// A linear probe on frozen features, of documents or of tokens. Layer, pooling and penalty are chosen
// on the development split.

#pragma once

#include <functional>

#include "harness/base/json/json.h"
#include "harness/probes/linear/features.h"

namespace ablate::probes {

/// Tolerance of a fit that development rows do not stop: accuracies converge long before costs do.
constexpr double kSettledTolerance = 1e-4;

/// Tells a fit when the costs of development rows have settled, as far as these rows can tell: since the
/// look before, a row's cost has changed on average by less than half the standard error of their mean. Looks
/// are after steps 4, 6, 9, 13, 19 and so on, each after half as many steps again, so that a slow
/// descent is not taken for the end of it.
class DevelopmentCosts {
 public:
  explicit DevelopmentCosts(const Observations& rows) : rows_(rows) {}

  /// Whether they have, now that a fit has reached `model` by one more step.
  bool settled(const LogisticModel& model);

 private:
  const Observations& rows_;
  int steps_ = 0, next_look_ = 4;
  std::vector<double> costs_;  // at the last look
};

/// The labels of the rows of the three splits, in [0, classes).
struct SplitLabels {
  std::vector<std::int32_t> training, development, test;
  std::int32_t classes = 0;
};

/// The features of the three splits from one layer and pooling.
struct SplitFeatures {
  LayerFeatures training, development, test;
};

/// The result of a linear probe.
struct LinearProbe {
  double accuracy = 0;              // fraction of the test rows classified correctly
  double development = 0;           // quality on the development rows
  std::int64_t layer = 0;           // chosen
  std::string_view pooling;         // chosen
  double penalty = 0;               // chosen
  Json by_layer = Json::array();    // the best penalty of each layer and pooling, on development;
                                    // "accuracy": of the test rows with it
  std::vector<std::int32_t> named;  // the class that each test row is given
};

/// How good it is to give the development rows these classes; more is better.
using RowQuality = std::function<double(std::span<const std::int32_t> named)>;

/// Chooses among layers that are given one after the other, so that not all are in memory at once.
class LayerChoice {
 public:
  /// `penalties`: that are tried, from large to small, so that each fit starts from the solution of
  /// the one before. `quality`: what is to be large on the development rows; empty: the accuracy.
  explicit LayerChoice(std::span<const double> penalties, RowQuality quality = {})
      : penalties_(penalties), quality_(std::move(quality)) {}

  /// Fits one layer and pooling with each penalty to the training rows, until the costs of the
  /// development rows settle: further steps would move them by less than these rows can tell.
  void consider(const SplitFeatures& features, const SplitLabels& labels);

  /// The result of the layers so far: the highest development quality, and of equal ones the lowest
  /// development cost.
  const LinearProbe& best() const { return best_; }

 private:
  std::span<const double> penalties_;
  RowQuality quality_;
  LinearProbe best_;
  double highest_ = 0, lowest_cost_ = 0;  // of the best, on development rows
};

/// The choice among these layers and poolings, and penalties of {1, .1, .01, .001, 1e-4}.
LinearProbe probe_linearly(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                           const std::function<void(double fraction)>& progress);

/// The fraction of test documents that have the most frequent training label.
double majority_accuracy(const SplitLabels& labels);

}  // namespace ablate::probes
