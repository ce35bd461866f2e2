// Measures how well a linear model predicts labels from frozen hidden states.

#include <fmt/core.h>

#include <algorithm>

#include "harness/probes/classification/control_task.h"
#include "harness/probes/classification/label_scores.h"
#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/classification/pair_features.h"
#include "harness/probes/linear/linear_probe.h"
#include "harness/probes/linear/online_code.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

std::vector<std::string_view> poolings_of(const Params& params) {
  if (params.text("pooling") == "mean") return {"mean"};
  if (params.text("pooling") == "last") return {"last"};
  return {"mean", "last"};
}

LayerFeatures rows_of(const LayerFeatures& all, std::int64_t first, std::int64_t count) {
  LayerFeatures rows{.layer = all.layer, .pooling = all.pooling, .width = all.width};
  const auto start = all.values.begin() + first * all.width;
  rows.values.assign(start, start + count * all.width);
  return rows;
}

/// The features of all splits from every layer with each pooling. Attention over the documents is
/// that of the objective.
std::vector<SplitFeatures> layers_of(train::Network& network, const Subject& subject,
                                     const Labelled& labelled, const Params& params) {
  const std::vector<std::string_view> poolings = poolings_of(params);
  const SplitCounts& counts = labelled.counts;
  const auto read = [&](std::span<const std::vector<Token>> documents) {
    return pooled_layers(network, documents, subject.phase.objective.needs.reading(), poolings,
                         subject.device);
  };
  const bool apart = params.text("pair_features") == "apart";
  std::vector<std::vector<Token>> texts;
  if (apart) texts = texts_of_pairs(labelled.documents);
  std::vector<SplitFeatures> layers;
  for (LayerFeatures& all : read(apart ? texts : labelled.documents)) {
    if (apart) all = pair_features(all);
    layers.push_back({rows_of(all, 0, counts.training),
                      rows_of(all, counts.training, counts.development),
                      rows_of(all, counts.training + counts.development, counts.test)});
  }
  return layers;
}

/// The features that a probe has chosen.
const SplitFeatures& chosen(const std::vector<SplitFeatures>& layers, const LinearProbe& probe) {
  return *std::find_if(layers.begin(), layers.end(), [&](const SplitFeatures& one) {
    return one.training.layer == probe.layer && one.training.pooling == probe.pooling;
  });
}

/// Accuracy of the same probe for labels that say nothing.
double control_accuracy(const SplitFeatures& features, Labelled labelled, const Rng& rng) {
  labelled.labels = control_labels(labelled.documents, labelled.labels, rng);
  return probe_linearly({features}, labels_of(labelled), [](double) {}).accuracy;
}

/// 1 for each test document that is classified correctly, 0 for the others.
std::vector<double> right_ones(const std::vector<std::int32_t>& named,
                               const std::vector<std::int32_t>& labels) {
  std::vector<double> right;
  right.reserve(named.size());
  for (std::size_t i = 0; i < named.size(); ++i) right.push_back(named[i] == labels[i] ? 1 : 0);
  return right;
}

/// Accuracy of the same probe with the first `count` training documents.
double accuracy_with(const std::vector<SplitFeatures>& layers, SplitLabels labels,
                     std::int64_t count) {
  labels.training.resize(static_cast<std::size_t>(count));
  std::vector<SplitFeatures> fewer = layers;
  for (SplitFeatures& one : fewer) one.training = rows_of(one.training, 0, count);
  return probe_linearly(fewer, labels, [](double) {}).accuracy;
}

/// Adds the accuracy with fewer labels to the metrics, and the curve up to all of them to the details.
/// A labelled file may have fewer documents than it was asked for: what it lacks is not measured.
void add_label_curve(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                     std::span<const std::int64_t> numbers, const std::string& accuracy,
                     Measurement& measurement) {
  Json points = Json::array();
  for (const std::int64_t count : numbers) {
    if (count > std::ssize(labels.training)) continue;
    const double reached = accuracy_with(layers, labels, count);
    measurement.metrics[fmt::format("{}_{}", accuracy, count)] = reached;
    points.push_back({count, reached});
  }
  points.push_back({labels.training.size(), measurement.metrics.at(accuracy)});
  measurement.details["curves"] = {
      {{"metric", accuracy}, {"along", "training documents"}, {"points", std::move(points)}}};
}

/// The mean compression of the training labels over three orders.
double compression_of(const SplitFeatures& features, const Labelled& labelled, const Rng& rng) {
  constexpr int kOrders = 3;
  constexpr double kCodePenalties[] = {1, 0.1, 0.01};
  const SplitLabels labels = labels_of(labelled);
  const Observations rows{.width = features.training.width,
                          .features = features.training.values,
                          .labels = labels.training};
  double sum = 0;
  for (int order = 0; order < kOrders; ++order)
    sum += online_compression(rows, labels.classes, kCodePenalties,
                              rng.fork(static_cast<std::uint64_t>(order)));
  return sum / kOrders;
}

Json details_of(const LinearProbe& probe) {
  return {{"layer", probe.layer},
          {"pooling", probe.pooling},
          {"penalty", probe.penalty},
          {"development", probe.development},
          {"by_layer", probe.by_layer}};
}

}  // namespace

Measurement measure_classification(const Subject& subject, const plan::ResolvedProbe& probe,
                                   const ProgressSink& progress) {
  const Params& params = probe.params;
  const Labelled labelled = labelled_for(subject, probe);
  const SplitLabels labels = labels_of(labelled);
  const std::vector<SplitFeatures> layers = layers_of(subject.network, subject, labelled, params);
  const LinearProbe trained =
      probe_linearly(layers, labels, [&](double fraction) { progress(0.4 * fraction); });
  const LinearProbe untrained =
      probe_linearly(layers_of(*subject.untrained(), subject, labelled, params), labels,
                     [&](double fraction) { progress(0.4 + 0.4 * fraction); });
  const SplitFeatures& best = chosen(layers, trained);
  const Rng rng =
      Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("classification_checks");

  Measurement measurement;
  const std::string of = subject_of(params, subject.language ? "topic" : "label") + ".";
  measurement.metrics[of + "accuracy"] = trained.accuracy;
  measurement.items[of + "accuracy"] = right_ones(trained.named, labels.test);
  const auto macro_f1 = [&](const LinearProbe& fitted) {
    return label_scores(fitted.named, labels.test, labels.classes).macro_f1;
  };
  measurement.metrics[of + "macro_f1"] = macro_f1(trained);
  measurement.metrics[of + "untrained"] = untrained.accuracy;
  measurement.metrics[of + "untrained_macro_f1"] = macro_f1(untrained);
  measurement.metrics[of + "majority"] = majority_accuracy(labels);
  measurement.metrics[of + "selectivity"] =
      trained.accuracy - control_accuracy(best, labelled, rng.fork("control"));
  measurement.metrics[of + "compression"] = compression_of(best, labelled, rng.fork("order"));
  if (subject.language)
    measurement.metrics[of + "bayes"] = bayes_accuracy(subject.language->chain(), labelled);
  measurement.details = {{"trained", details_of(trained)},
                         {"untrained", details_of(untrained)},
                         {"labels", labelled.names},
                         {"documents", labelled.counts.json()}};
  if (params.has("label_counts"))
    add_label_curve(layers, labels, label_counts(params), of + "accuracy", measurement);
  return measurement;
}

}  // namespace ablate::probes
