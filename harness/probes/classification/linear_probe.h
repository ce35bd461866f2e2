// A linear probe on frozen features: everything about it that is chosen, is chosen on development
// rows.

#pragma once

#include <functional>

#include "harness/base/json/json.h"
#include "harness/probes/classification/features.h"

namespace ablate::probes {

/// Labels of the three splits' documents, in [0, classes).
struct SplitLabels {
  std::vector<std::int32_t> training, development, test;
  std::int32_t classes = 0;
};

/// The same layer and pooling of the three splits.
struct SplitFeatures {
  LayerFeatures training, development, test;
};

struct LinearProbe {
  double accuracy = 0;     // fraction of test documents named right by what was chosen
  double development = 0;  // the chosen one's accuracy there
  std::int64_t layer = 0;
  std::string_view pooling;
  double penalty = 0;
  Json by_layer = Json::array();  // the best of each layer and pooling on the development documents
};

/// Fits each layer and pooling at each penalty of {1, .1, .01, .001, 1e-4} to the training
/// documents; keeps what names most development documents right, of equals the one of least cost
/// there.
LinearProbe probe_linearly(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                           const std::function<void(double share)>& progress);

/// Share of test documents that the commonest training label names right.
double majority_accuracy(const SplitLabels& labels);

}  // namespace ablate::probes
