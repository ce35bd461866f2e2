#include "harness/probes/linear/token_probe.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kDocumentsRead = 50;  // documents in memory at once

std::vector<std::int32_t> labels_of(const TokenItems& tokens) {
  std::vector<std::int32_t> labels;
  for (const TokenItems::Item& item : tokens.items) labels.push_back(item.label);
  return labels;
}

SplitLabels labels_of(const TokenSplits& splits) {
  return {.training = labels_of(splits.training),
          .development = labels_of(splits.development),
          .test = labels_of(splits.test),
          .classes = splits.test.classes};
}

/// Appends the states [time, width] of a layer at the items of documents from `first` on.
void append_items(const at::Tensor& states, const TokenItems& tokens, std::size_t first,
                  std::size_t& item, LayerFeatures& features) {
  const std::int64_t time = states.size(2), width = states.size(3);
  const auto documents = static_cast<std::size_t>(states.size(1));
  const float* const values = states.data_ptr<float>();
  for (; item < tokens.items.size() && tokens.items[item].document < first + documents; ++item) {
    const TokenItems::Item& at = tokens.items[item];
    const float* const row = values + (static_cast<std::int64_t>(at.document - first) * time +
                                       static_cast<std::int64_t>(at.position)) *
                                          width;
    features.values.insert(features.values.end(), row, row + width);
  }
}

/// The hidden states of one layer at all items.
LayerFeatures features_of(train::Network& network, const Subject& subject, const TokenItems& tokens,
                          std::size_t layer) {
  LayerFeatures features{.layer = static_cast<std::int64_t>(layer), .pooling = "token"};
  std::size_t item = 0;
  for (std::size_t first = 0; first < tokens.documents.size(); first += kDocumentsRead) {
    const std::size_t count = std::min(kDocumentsRead, tokens.documents.size() - first);
    const std::vector<std::span<const Token>> rows(
        tokens.documents.begin() + static_cast<std::ptrdiff_t>(first),
        tokens.documents.begin() + static_cast<std::ptrdiff_t>(first + count));
    const data::Batch batch = document_batch(rows, subject.phase.objective.needs.attention);
    const at::Tensor states = network.layers(train::to_inputs({&batch, 1}, subject.device))
                                  .at(layer)
                                  .to(at::kFloat)
                                  .cpu()
                                  .contiguous();
    features.width = states.size(3);
    append_items(states, tokens, first, item, features);
  }
  return features;
}

SplitFeatures features_of(train::Network& network, const Subject& subject,
                          const TokenSplits& splits, std::size_t layer) {
  return {features_of(network, subject, splits.training, layer),
          features_of(network, subject, splits.development, layer),
          features_of(network, subject, splits.test, layer)};
}

/// The number of layers that the network has hidden states of.
std::size_t layers_of(train::Network& network, const Subject& subject, const TokenItems& tokens) {
  const std::span<const Token> document = tokens.documents.front();
  const data::Batch batch = document_batch({&document, 1}, subject.phase.objective.needs.attention);
  return network.layers(train::to_inputs({&batch, 1}, subject.device)).size();
}

}  // namespace

LinearProbe probe_tokens(train::Network& network, const Subject& subject, const TokenSplits& splits,
                         std::span<const double> penalties, const ProgressSink& progress,
                         RowQuality quality) {
  const SplitLabels labels = labels_of(splits);
  const std::size_t layers = layers_of(network, subject, splits.test);
  LayerChoice choice(penalties, std::move(quality));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    choice.consider(features_of(network, subject, splits, layer), labels);
    progress(static_cast<double>(layer + 1) / static_cast<double>(layers));
  }
  return choice.best();
}

LinearProbe probe_tokens_at(train::Network& network, const Subject& subject,
                            const TokenSplits& splits, std::int64_t layer,
                            std::span<const double> penalties) {
  LayerChoice choice(penalties);
  choice.consider(features_of(network, subject, splits, static_cast<std::size_t>(layer)),
                  labels_of(splits));
  return choice.best();
}

std::vector<double> right_by_document(const TokenItems& tokens,
                                      std::span<const std::int32_t> named) {
  std::vector<double> fractions;
  for (std::size_t first = 0; first < tokens.items.size();) {
    double right = 0;
    std::size_t end = first;
    for (; end < tokens.items.size() && tokens.items[end].document == tokens.items[first].document;
         ++end)
      right += named[end] == tokens.items[end].label ? 1 : 0;
    fractions.push_back(right / static_cast<double>(end - first));
    first = end;
  }
  return fractions;
}

Json layer_curve(const std::string& metric, const LinearProbe& probe) {
  Json points = Json::array();
  for (const Json& layer : probe.by_layer)
    points.push_back({layer.at("layer"), layer.at("accuracy")});
  return {{"metric", metric},
          {"along", "layer"},
          {"chosen", probe.layer},
          {"points", std::move(points)}};
}

Json chosen_by(const LinearProbe& probe) {
  return {{"layer", probe.layer}, {"penalty", probe.penalty}, {"by_layer", probe.by_layer}};
}

}  // namespace ablate::probes
