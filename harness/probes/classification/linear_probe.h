// A linear probe on frozen features. Layer, pooling and penalty are chosen on the development
// documents.

#pragma once

#include <functional>

#include "harness/base/json/json.h"
#include "harness/probes/classification/features.h"

namespace ablate::probes {

/// The labels of the documents of the three splits, in [0, classes).
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
  double accuracy = 0;            // fraction of the test documents classified correctly
  double development = 0;         // fraction of the development documents classified correctly
  std::int64_t layer = 0;         // chosen
  std::string_view pooling;       // chosen
  double penalty = 0;             // chosen
  Json by_layer = Json::array();  // the best penalty of each layer and pooling, on development
};

/// Fits each layer and pooling with each penalty of {1, .1, .01, .001, 1e-4} to the training
/// documents. Chooses the highest development accuracy, and of equal ones the lowest development
/// cost.
LinearProbe probe_linearly(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                           const std::function<void(double fraction)>& progress);

/// The fraction of test documents that have the most frequent training label.
double majority_accuracy(const SplitLabels& labels);

}  // namespace ablate::probes
