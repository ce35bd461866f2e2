// Runs documents through a network and pools the hidden states of each layer.

#include "harness/probes/linear/features.h"

#include <algorithm>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kDocumentsAtOnce = 50;  // documents in memory at once

/// Appends one document's vector, given its states [time, width], of which the first `count` are
/// not padding.
void append_pooled(const float* states, std::int64_t count, std::int64_t width,
                   std::string_view pooling, std::vector<double>& values) {
  if (pooling == "first") count = 1;
  const std::int64_t first = pooling == "last" ? count - 1 : 0;
  for (std::int64_t d = 0; d < width; ++d) {
    double sum = 0;
    for (std::int64_t t = first; t < count; ++t) sum += static_cast<double>(states[t * width + d]);
    values.push_back(sum / static_cast<double>(count - first));
  }
}

}  // namespace

std::vector<LayerFeatures> pooled_layers(train::Network& network,
                                         std::span<const std::vector<Token>> documents,
                                         Reading reading,
                                         std::span<const std::string_view> poolings,
                                         const std::string& device) {
  std::vector<LayerFeatures> features;
  for (std::size_t first = 0; first < documents.size(); first += kDocumentsAtOnce) {
    const auto chunk =
        documents.subspan(first, std::min(kDocumentsAtOnce, documents.size() - first));
    const std::vector<std::span<const Token>> rows(chunk.begin(), chunk.end());
    const data::Batch batch = document_batch(rows, reading);
    const std::vector<at::Tensor> layers = network.layers(train::to_inputs({&batch, 1}, device));
    features.resize(layers.size() * poolings.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      LayerFeatures& of = features[i];
      const std::size_t layer = i / poolings.size();
      const at::Tensor states = layers[layer].to(at::kFloat).cpu().contiguous();
      of.layer = static_cast<std::int64_t>(layer);
      of.pooling = poolings[i % poolings.size()];
      of.width = states.size(3);
      for (std::size_t row = 0; row < rows.size(); ++row)
        append_pooled(
            states.data_ptr<float>() + static_cast<std::int64_t>(row) * batch.time * of.width,
            static_cast<std::int64_t>(rows[row].size()), of.width, of.pooling, of.values);
    }
  }
  return features;
}

}  // namespace ablate::probes
