// Frozen hidden states of documents, pooled to one vector a document.

#pragma once

#include <string_view>

#include "harness/contract/objective.h"
#include "harness/probes/classification/logistic_regression.h"
#include "harness/train/network/network.h"

namespace ablate::probes {

/// Features of the same documents as one layer and pooling gives them.
struct LayerFeatures {
  std::int64_t layer = 0;    // 0: after the embedding; the last: after the final norm
  std::string_view pooling;  // "mean" over the document's positions, or its "last" position
  std::int64_t width = 0;
  std::vector<double> values;  // [document, width]
};

/// Every layer's features under each pooling. Requires: documents within the network's context.
std::vector<LayerFeatures> pooled_layers(train::Network& network,
                                         std::span<const std::vector<Token>> documents,
                                         Attention attention,
                                         std::span<const std::string_view> poolings,
                                         const std::string& device);

}  // namespace ablate::probes
