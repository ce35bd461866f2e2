// Measures how the vectors of documents lie, layer by layer.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/linear/features.h"
#include "harness/probes/measuring.h"
#include "harness/probes/representation/compared_texts.h"
#include "harness/probes/representation/geometry.h"
#include "harness/probes/representation/scored_pairs_spec.h"
#include "harness/probes/representation/similarity.h"
#include "harness/statistics/paired/rank_correlation.h"
#include "harness/store/journal/journal.h"

namespace ablate::probes {
namespace {

constexpr std::int64_t kComparedDocuments = 48;  // between trials: pairs of them are stored

constexpr std::string_view kPoolings[] = {"mean", "last", "first"};

/// Whether the arm's training compares the states of a place that stands before each passage.
bool compares_states(const Needs& needs) {
  return needs.heads[needs.primary()].kind == "contrastive";
}

/// Texts as they are read, each from its begin token on: an arm that compares states was trained to see
/// the place for its state there.
std::vector<std::vector<Token>> read_by(const Needs& needs,
                                        std::span<const std::vector<Token>> texts) {
  std::vector<std::vector<Token>> read(texts.begin(), texts.end());
  if (compares_states(needs))
    for (std::vector<Token>& text : read)
      if (!text.empty() && text.front() == begin_token) text.front() = classify_token;
  return read;
}

/// A range of the rows of features.
Vectors rows_from(const LayerFeatures& features, std::int64_t first, std::int64_t count) {
  return {std::span(features.values)
              .subspan(static_cast<std::size_t>(first * features.width),
                       static_cast<std::size_t>(count * features.width)),
          static_cast<std::size_t>(features.width)};
}

/// A network's vectors of all documents, and the layer and pooling that was chosen.
struct Represented {
  std::vector<LayerFeatures> layers;
  std::size_t chosen = 0;
  double spearman = std::nan("");
  Json by_layer = Json::array();

  const LayerFeatures& best() const { return layers[chosen]; }
};

class Representing {
 public:
  Representing(const Subject& subject, const plan::ResolvedProbe& probe)
      : subject_(subject),
        documents_(compared_documents(subject, probe)),
        scored_(scored_texts_of(subject, probe)),
        by_name_(by_name(probe.params)),
        pooling_(probe.params.text("pooling")) {}

  Represented represent(train::Network& network) const {
    Represented made{.layers = layers_of(network, documents_.documents)};
    double highest = -1;
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
      const LayerFeatures& layer = made.layers[i];
      if (!eligible(layer)) continue;
      const double quality = retrieved(layer, 0, documents_.counts.development).ndcg_at_10;
      made.by_layer.push_back(
          {{"layer", layer.layer}, {"pooling", layer.pooling}, {"development", quality}});
      if (!(quality > highest)) continue;
      highest = quality;
      made.chosen = i;
    }
    if (scored_.scores.empty()) return made;
    const LayerFeatures of_texts = layers_of(network, scored_.texts)[made.chosen];
    const Vectors vectors{of_texts.values, static_cast<std::size_t>(of_texts.width)};
    made.spearman = statistics::spearman(pair_cosines(vectors), scored_.scores);
    return made;
  }

  /// Adds the metrics of the test documents, their names after `prefix`.
  void add_metrics(const Represented& made, const std::string& prefix,
                   std::map<std::string, double>& metrics) const {
    const LayerFeatures& best = made.best();
    const std::int64_t first = documents_.counts.development, count = documents_.counts.test;
    const Vectors vectors = rows_from(best, first, count);
    const std::vector<double> values = unit_vectors(vectors), centre = centred(vectors);
    const Vectors units{values, vectors.width};
    const Retrieval found = retrieved(best, first, count);
    const auto add = [&](const char* name, double value) {
      if (std::isfinite(value)) metrics[prefix + name] = value;
    };
    add("ndcg_at_10", found.ndcg_at_10);
    add("recall_at_1", found.recall_at_1);
    add("recall_at_5", found.recall_at_5);
    add("recall_at_10", found.recall_at_10);
    add("alignment", alignment(units, labels_from(first, count)));
    add("uniformity", uniformity(units));
    add("anisotropy", anisotropy(vectors));
    add("anisotropy_centred", anisotropy({centre, vectors.width}));
    add("spearman", made.spearman);
  }

  /// Adds how well the exact posterior of the topics, or names, finds test documents of the same one. It
  /// orders them by the probability that they have one: no other order has a higher expected gain. Where one
  /// has fewer than ten other texts, the gain is divided by what is possible, and another order may.
  void add_optimum(const Chain& chain, std::map<std::string, double>& metrics) const {
    const std::int64_t first = documents_.counts.development;
    const std::vector<double> posteriors = by_name_ ? name_posteriors(chain, documents_, first)
                                                    : topic_posteriors(chain, documents_, first);
    const std::size_t labels = posteriors.size() / static_cast<std::size_t>(documents_.counts.test);
    const double found =
        retrieval({posteriors, labels}, labels_from(first, documents_.counts.test)).ndcg_at_10;
    if (std::isfinite(found)) metrics["representation.optimum_ndcg_at_10"] = found;
  }

  /// Unbiased linear CKA of the test documents between two layers.
  double cka(const LayerFeatures& a, const LayerFeatures& b) const {
    const std::int64_t first = documents_.counts.development, count = documents_.counts.test;
    return linear_cka(rows_from(a, first, count), rows_from(b, first, count));
  }

  /// The test documents that trials are compared on.
  Vectors compared(const LayerFeatures& layer) const {
    return rows_from(layer, documents_.counts.development,
                     std::min(kComparedDocuments, documents_.counts.test));
  }

  const SplitCounts& counts() const { return documents_.counts; }

 private:
  bool eligible(const LayerFeatures& layer) const {
    return pooling_ == "best" || layer.pooling == pooling_;
  }

  std::vector<LayerFeatures> layers_of(train::Network& network,
                                       std::span<const std::vector<Token>> texts) const {
    const Needs& needs = subject_.phase.objective.needs;
    // A first place is of use where a state is trained to stand there.
    const auto poolings = std::span(kPoolings).first(compares_states(needs) ? 3 : 2);
    return pooled_layers(network, read_by(needs, texts), needs.reading(), poolings,
                         subject_.device);
  }

  std::span<const std::int32_t> labels_from(std::int64_t first, std::int64_t count) const {
    return std::span(documents_.labels)
        .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }

  Retrieval retrieved(const LayerFeatures& layer, std::int64_t first, std::int64_t count) const {
    const Vectors vectors = rows_from(layer, first, count);
    const std::vector<double> units = unit_vectors(vectors);
    return retrieval({units, vectors.width}, labels_from(first, count));
  }

  const Subject& subject_;
  Labelled documents_;  // development documents, then test documents
  ScoredTexts scored_;
  bool by_name_;
  std::string pooling_;
};

/// The layers with mean pooling.
std::vector<const LayerFeatures*> mean_layers(const Represented& made) {
  std::vector<const LayerFeatures*> layers;
  for (const LayerFeatures& layer : made.layers)
    if (layer.pooling == "mean") layers.push_back(&layer);
  return layers;
}

/// What unbiased linear CKA with another trial's layer needs, in whole numbers of up to kLargest: the
/// scale does not matter. Empty where the documents are too few or have no spread.
Json kernel_json(Vectors vectors) {
  constexpr double kLargest = 999;
  Json entries = Json::array();
  if (vectors.count() < 4) return entries;
  const std::vector<double> kernel = centred_kernel(vectors);
  double largest = 0;
  for (const double entry : kernel) largest = std::max(largest, std::abs(entry));
  if (!(largest > 0) || !std::isfinite(largest)) return entries;
  for (const double entry : kernel) entries.push_back(std::lround(entry / largest * kLargest));
  return entries;
}

Json choice_json(const Represented& made) {
  return {
      {"layer", made.best().layer}, {"pooling", made.best().pooling}, {"by_layer", made.by_layer}};
}

}  // namespace

Measurement measure_representation(const Subject& subject, const plan::ResolvedProbe& probe,
                                   const ProgressSink& progress) {
  const Representing representing(subject, probe);
  const Represented trained = representing.represent(subject.network);
  progress(0.4);
  const Represented untrained = representing.represent(*subject.untrained());
  progress(0.8);

  Measurement measurement;
  auto& metrics = measurement.metrics;
  std::map<std::string, double> floors;
  representing.add_metrics(trained, "representation.", metrics);
  representing.add_metrics(untrained, "representation.untrained_", floors);
  for (const char* name : {"ndcg_at_10", "recall_at_1", "recall_at_5", "recall_at_10", "spearman",
                           "alignment", "uniformity", "anisotropy"}) {
    const auto found = floors.find(fmt::format("representation.untrained_{}", name));
    if (found != floors.end()) metrics.insert(*found);
  }
  if (subject.language) representing.add_optimum(subject.language->chain(), metrics);
  const std::vector<const LayerFeatures*> layers = mean_layers(trained);
  Json matrix = Json::array();
  for (const LayerFeatures* a : layers) {
    Json& row = matrix.emplace_back(Json::array());
    for (const LayerFeatures* b : layers)
      row.push_back(store::number_to_json(representing.cka(*a, *b)));
  }
  Json kernels = Json::array();
  for (const LayerFeatures* layer : layers)
    kernels.push_back(kernel_json(representing.compared(*layer)));
  const double first_last = representing.cka(*layers.front(), *layers.back());
  const double changed = representing.cka(*layers.back(), *mean_layers(untrained).back());
  if (std::isfinite(first_last)) metrics["representation.cka_first_last"] = first_last;
  if (std::isfinite(changed)) metrics["representation.cka_untrained"] = changed;
  measurement.details = {
      {"trained", choice_json(trained)},
      {"untrained", choice_json(untrained)},
      {"cka", std::move(matrix)},
      {"kernels", std::move(kernels)},
      {"documents",
       {{"development", representing.counts().development}, {"test", representing.counts().test}}}};
  return measurement;
}

}  // namespace ablate::probes
