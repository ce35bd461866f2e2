// Measures how well a linear model reads off the hidden states which state of the language emitted
// a token. A bank may be steep or closed: what a model makes of what follows shows here.

#include <ATen/core/Tensor.h>
#include <fmt/core.h>

#include <numeric>

#include "harness/probes/classification/linear_probe.h"
#include "harness/probes/documents.h"
#include "harness/probes/hidden_state/emitted.h"
#include "harness/probes/measuring.h"
#include "harness/train/step/feed.h"

namespace ablate::probes {
namespace {

/// Two are enough for as many rows as there are, and more cost as much as training.
constexpr double kStatePenalties[] = {0.01, 0.001};

constexpr std::size_t kDocumentsRead = 50;  // documents in memory at once

/// The tokens of the three splits.
struct Splits {
  Emitted training, development, test;
};

Splits draw_splits(const Subject& subject, const Params& params) {
  const Rng rng =
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("hidden_state");
  const auto drawn = [&](const char* split) {
    return draw_emitted(*subject.language, params.integer(fmt::format("{}_tokens", split)),
                        subject.phase.context, rng.fork(split));
  };
  return {drawn("training"), drawn("development"), drawn("test")};
}

std::vector<std::int32_t> labels_of(const Emitted& emitted) {
  std::vector<std::int32_t> labels;
  for (const Emitted::Item& item : emitted.items) labels.push_back(item.state);
  return labels;
}

/// Appends the states [time, width] of a layer at the items of documents from `first` on.
void append_items(const at::Tensor& states, const Emitted& emitted, std::size_t first,
                  std::size_t& item, LayerFeatures& features) {
  const std::int64_t time = states.size(2), width = states.size(3);
  const auto documents = static_cast<std::size_t>(states.size(1));
  const float* const values = states.data_ptr<float>();
  for (; item < emitted.items.size() && emitted.items[item].document < first + documents; ++item) {
    const Emitted::Item& at = emitted.items[item];
    const float* const row = values + (static_cast<std::int64_t>(at.document - first) * time +
                                       static_cast<std::int64_t>(at.position)) *
                                          width;
    features.values.insert(features.values.end(), row, row + width);
  }
}

/// The hidden states of one layer at all items.
LayerFeatures features_of(train::Network& network, const Subject& subject, const Emitted& emitted,
                          std::size_t layer) {
  LayerFeatures features{.layer = static_cast<std::int64_t>(layer), .pooling = "token"};
  std::size_t item = 0;
  for (std::size_t first = 0; first < emitted.documents.size(); first += kDocumentsRead) {
    const std::size_t count = std::min(kDocumentsRead, emitted.documents.size() - first);
    const std::vector<std::span<const Token>> rows(
        emitted.documents.begin() + static_cast<std::ptrdiff_t>(first),
        emitted.documents.begin() + static_cast<std::ptrdiff_t>(first + count));
    const data::Batch batch = document_batch(rows, subject.phase.objective.needs.attention);
    const at::Tensor states = network.layers(train::to_inputs({&batch, 1}, subject.device))
                                  .at(layer)
                                  .to(at::kFloat)
                                  .cpu()
                                  .contiguous();
    features.width = states.size(3);
    append_items(states, emitted, first, item, features);
  }
  return features;
}

/// The number of layers that the network has hidden states of.
std::size_t layers_of(train::Network& network, const Subject& subject, const Emitted& emitted) {
  const std::span<const Token> document = emitted.documents.front();
  const data::Batch batch = document_batch({&document, 1}, subject.phase.objective.needs.attention);
  return network.layers(train::to_inputs({&batch, 1}, subject.device)).size();
}

/// Probes one network. One layer is in memory at a time.
LinearProbe probe_network(train::Network& network, const Subject& subject, const Splits& splits,
                          const ProgressSink& progress) {
  const SplitLabels labels{.training = labels_of(splits.training),
                           .development = labels_of(splits.development),
                           .test = labels_of(splits.test),
                           .classes = splits.test.classes};
  const std::size_t layers = layers_of(network, subject, splits.test);
  LayerChoice choice(kStatePenalties);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    choice.consider({features_of(network, subject, splits.training, layer),
                     features_of(network, subject, splits.development, layer),
                     features_of(network, subject, splits.test, layer)},
                    labels);
    progress(static_cast<double>(layer + 1) / static_cast<double>(layers));
  }
  return choice.best();
}

/// Adds the fraction of right items as "state.NAME", and that of the ambiguous ones.
void add_fractions(std::string_view name, const std::vector<std::uint8_t>& right,
                   const std::vector<std::uint8_t>& ambiguous,
                   std::map<std::string, double>& metrics) {
  double all = 0, unclear = 0, right_unclear = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    all += right[i];
    unclear += ambiguous[i];
    right_unclear += right[i] * ambiguous[i];
  }
  metrics[fmt::format("state.{}", name)] = all / static_cast<double>(right.size());
  if (unclear > 0) metrics[fmt::format("state.{}_ambiguous", name)] = right_unclear / unclear;
}

std::vector<std::uint8_t> agreement(const std::vector<std::int32_t>& named,
                                    const Emitted& emitted) {
  std::vector<std::uint8_t> right;
  for (std::size_t i = 0; i < named.size(); ++i)
    right.push_back(named[i] == emitted.items[i].state ? 1 : 0);
  return right;
}

Json chosen_by(const LinearProbe& probe) {
  return {{"layer", probe.layer}, {"penalty", probe.penalty}, {"by_layer", probe.by_layer}};
}

}  // namespace

Measurement measure_hidden_state(const Subject& subject, const plan::ResolvedProbe& probe,
                                 const ProgressSink& progress) {
  const Splits splits = draw_splits(subject, probe.params);
  const Chain& chain = subject.language->chain();
  const std::vector<std::uint8_t> ambiguous = ambiguous_items(chain, splits.test);
  const LinearProbe trained = probe_network(subject.network, subject, splits,
                                            [&](double fraction) { progress(fraction / 2); });
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const LinearProbe untrained = probe_network(
      *initial, subject, splits, [&](double fraction) { progress(0.5 + fraction / 2); });

  Measurement measurement;
  const auto add = [&](std::string_view name, const std::vector<std::uint8_t>& right) {
    add_fractions(name, right, ambiguous, measurement.metrics);
  };
  const auto exact = [&](Given given) {
    return agreement(exact_states(chain, splits.test, given), splits.test);
  };
  const std::vector<std::uint8_t> past = exact(Given::past), document = exact(Given::document);
  const bool sees_all = subject.phase.objective.needs.attention == Attention::bidirectional;
  add("accuracy", trained.right);
  add("untrained", untrained.right);
  add("token_alone", exact(Given::token));
  add("filtering", past);
  add("smoothing", document);
  add("bayes", sees_all ? document : past);
  measurement.details = {
      {"trained", chosen_by(trained)},
      {"untrained", chosen_by(untrained)},
      {"states", splits.test.classes},
      {"ambiguous", std::accumulate(ambiguous.begin(), ambiguous.end(), std::int64_t{0})}};
  return measurement;
}

}  // namespace ablate::probes
