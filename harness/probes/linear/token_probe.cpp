#include "harness/probes/linear/token_probe.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kDocumentsRead = 50;             // documents in memory at once
constexpr std::size_t kBytesKept = 256 * 1024 * 1024;  // of hidden states

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

/// Layers, from `first` on.
struct LayerRange {
  std::size_t first = 0, count = 1;
};

/// Appends the states [lane, document, time, width] of a layer at the items of documents from `first`
/// on, of which `item` is the first.
void append_items(const at::Tensor& states, const TokenItems& tokens, Reading reading,
                  std::size_t first, std::size_t item, LayerFeatures& features) {
  const std::int64_t time = states.size(2), width = states.size(3);
  const auto documents = static_cast<std::size_t>(states.size(1));
  const float* const values = states.data_ptr<float>();
  for (; item < tokens.items.size() && tokens.items[item].document < first + documents; ++item) {
    const TokenItems::Item& at = tokens.items[item];
    const std::size_t place = reading.place_of(at.position, tokens.documents[at.document].size());
    const float* const row = values + (static_cast<std::int64_t>(at.document - first) * time +
                                       static_cast<std::int64_t>(place)) *
                                          width;
    features.values.insert(features.values.end(), row, row + width);
  }
}

/// The hidden states of these layers at all items.
std::vector<LayerFeatures> features_of(train::Network& network, const Subject& subject,
                                       const TokenItems& tokens, LayerRange layers) {
  const Reading reading = subject.phase.objective.needs.reading();
  std::vector<LayerFeatures> features(layers.count);
  std::size_t item = 0;
  for (std::size_t first = 0; first < tokens.documents.size(); first += kDocumentsRead) {
    const std::size_t count = std::min(kDocumentsRead, tokens.documents.size() - first);
    const std::vector<std::span<const Token>> rows(
        tokens.documents.begin() + static_cast<std::ptrdiff_t>(first),
        tokens.documents.begin() + static_cast<std::ptrdiff_t>(first + count));
    const data::Batch batch = document_batch(rows, reading);
    const std::vector<at::Tensor> all =
        network.layers(train::to_inputs({&batch, 1}, subject.device));
    for (std::size_t i = 0; i < layers.count; ++i) {
      const at::Tensor states = all.at(layers.first + i).to(at::kFloat).cpu().contiguous();
      features[i].layer = static_cast<std::int64_t>(layers.first + i);
      features[i].pooling = "token";
      features[i].width = states.size(3);
      features[i].values.reserve(tokens.items.size() * static_cast<std::size_t>(states.size(3)));
      append_items(states, tokens, reading, first, item, features[i]);
    }
    while (item < tokens.items.size() && tokens.items[item].document < first + count) ++item;
  }
  return features;
}

/// The same of all splits, by layer.
std::vector<SplitFeatures> features_of(train::Network& network, const Subject& subject,
                                       const TokenSplits& splits, LayerRange layers) {
  auto training = features_of(network, subject, splits.training, layers);
  auto development = features_of(network, subject, splits.development, layers);
  auto test = features_of(network, subject, splits.test, layers);
  std::vector<SplitFeatures> features;
  features.reserve(layers.count);
  for (std::size_t i = 0; i < layers.count; ++i)
    features.push_back({std::move(training[i]), std::move(development[i]), std::move(test[i])});
  return features;
}

/// The network's layers, and how many of them are kept at once.
struct LayerCount {
  std::size_t all = 0, at_once = 1;
};

/// As many at once as fit into `kBytesKept`: a pass of the network gives all of them.
LayerCount layers_of(train::Network& network, const Subject& subject, const TokenSplits& splits) {
  const std::span<const Token> document = splits.test.documents.front();
  const data::Batch batch = document_batch({&document, 1}, subject.phase.objective.needs.reading());
  const auto layers = network.layers(train::to_inputs({&batch, 1}, subject.device));
  const std::size_t items =
      splits.training.items.size() + splits.development.items.size() + splits.test.items.size();
  const std::size_t bytes =
      items * static_cast<std::size_t>(layers.front().size(3)) * sizeof(float);
  const std::size_t fit = kBytesKept / std::max<std::size_t>(1, bytes);
  return {layers.size(), std::clamp<std::size_t>(fit, 1, layers.size())};
}

}  // namespace

LinearProbe probe_tokens(train::Network& network, const Subject& subject, const TokenSplits& splits,
                         std::span<const double> penalties, const ProgressSink& progress,
                         RowQuality quality) {
  const SplitLabels labels = labels_of(splits);
  LayerChoice choice(penalties, std::move(quality));
  each_token_layer(network, subject, splits, [&](const SplitFeatures& layer, double done) {
    choice.consider(layer, labels);
    progress(done);
  });
  return choice.best();
}

void each_token_layer(train::Network& network, const Subject& subject, const TokenSplits& splits,
                      const std::function<void(const SplitFeatures& layer, double done)>& take) {
  const LayerCount layers = layers_of(network, subject, splits);
  for (std::size_t first = 0; first < layers.all; first += layers.at_once) {
    const LayerRange range{first, std::min(layers.at_once, layers.all - first)};
    std::size_t done = first;
    for (const SplitFeatures& features : features_of(network, subject, splits, range))
      take(features, static_cast<double>(++done) / static_cast<double>(layers.all));
  }
}

LinearProbe probe_tokens_at(train::Network& network, const Subject& subject,
                            const TokenSplits& splits, std::int64_t layer,
                            std::span<const double> penalties) {
  LayerChoice choice(penalties);
  const LayerRange one{.first = static_cast<std::size_t>(layer)};
  choice.consider(features_of(network, subject, splits, one).front(), labels_of(splits));
  return choice.best();
}

std::vector<double> mean_by_document(const TokenItems& tokens, std::span<const double> values) {
  std::vector<double> means;
  for (std::size_t first = 0; first < tokens.items.size();) {
    double sum = 0;
    std::size_t end = first;
    for (; end < tokens.items.size() && tokens.items[end].document == tokens.items[first].document;
         ++end)
      sum += values[end];
    means.push_back(sum / static_cast<double>(end - first));
    first = end;
  }
  return means;
}

std::vector<double> right_by_document(const TokenItems& tokens,
                                      std::span<const std::int32_t> named) {
  std::vector<double> right;
  right.reserve(named.size());
  for (std::size_t i = 0; i < named.size(); ++i)
    right.push_back(named[i] == tokens.items[i].label ? 1 : 0);
  return mean_by_document(tokens, right);
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
