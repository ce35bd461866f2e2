// Frozen hidden states of documents, pooled to one vector per document.

#pragma once

#include <string_view>

#include "harness/contract/objective.h"
#include "harness/probes/linear/logistic_regression.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// The features of documents from one layer and one pooling.
struct LayerFeatures {
  std::int64_t layer = 0;  // 0: after the embedding; the last: after the final norm
  std::string_view
      pooling;  // "mean" over the document's positions, or the "first" or "last" one read
  std::int64_t width = 0;
  std::vector<double> values;  // [document, width]
};

/// The features of the documents from every layer with each pooling, layer by layer. Requires: a
/// network of one lane; documents fit its context.
std::vector<LayerFeatures> pooled_layers(train::Network& network,
                                         std::span<const std::vector<Token>> documents,
                                         Reading reading,
                                         std::span<const std::string_view> poolings,
                                         const std::string& device);

}  // namespace ablate::probes
