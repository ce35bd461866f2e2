// Measures how well a linear model predicts labels from frozen hidden states.

#include "harness/base/error.h"
#include "harness/probes/classification/labelled.h"
#include "harness/probes/classification/linear_probe.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

std::vector<std::string_view> poolings_of(const Params& params) {
  if (params.text("pooling") == "mean") return {"mean"};
  if (params.text("pooling") == "last") return {"last"};
  return {"mean", "last"};
}

/// The labelled documents: drawn from the language, or from the corpus that the plan prepared.
Labelled documents_for(const Subject& subject, const plan::ResolvedProbe& probe) {
  const std::int64_t context = subject.phase.context;
  const SplitCounts counts = SplitCounts::of(probe.params);
  if (subject.language) return topic_documents(*subject.language, counts, context, subject.seed);
  if (!probe.settings.contains("labelled"))
    reject("classification: the settings name no labelled corpus; plan the experiment again");
  const data::Corpus corpus = data::Corpus::open(
      subject.cache / (probe.settings.at("labelled").get<std::string>() + ".corpus"));
  if (corpus.ordinary() != subject.vocabulary().ordinary)
    reject(
        "classification: the labelled text has {} ordinary ids and the model {}; plan the "
        "experiment again",
        corpus.ordinary(), subject.vocabulary().ordinary);
  return corpus_documents(corpus, counts, context, subject.seed);
}

SplitLabels labels_of(const Labelled& labelled) {
  const auto training = labelled.labels.begin();
  const auto development = training + labelled.counts.training;
  const auto test = development + labelled.counts.development;
  return {.training = {training, development},
          .development = {development, test},
          .test = {test, labelled.labels.end()},
          .classes = static_cast<std::int32_t>(labelled.names.size())};
}

LayerFeatures rows_of(const LayerFeatures& all, std::int64_t first, std::int64_t count) {
  LayerFeatures rows{.layer = all.layer, .pooling = all.pooling, .width = all.width};
  const auto start = all.values.begin() + first * all.width;
  rows.values.assign(start, start + count * all.width);
  return rows;
}

/// Probes one network. Attention over the documents is that of the objective.
LinearProbe probe_network(train::Network& network, const Subject& subject, const Labelled& labelled,
                          const Params& params, const ProgressSink& progress) {
  const Attention attention = subject.phase.objective.needs.attention;
  const std::vector<std::string_view> poolings = poolings_of(params);
  const SplitCounts& counts = labelled.counts;
  std::vector<SplitFeatures> layers;
  for (const LayerFeatures& all :
       pooled_layers(network, labelled.documents, attention, poolings, subject.device))
    layers.push_back({rows_of(all, 0, counts.training),
                      rows_of(all, counts.training, counts.development),
                      rows_of(all, counts.training + counts.development, counts.test)});
  return probe_linearly(layers, labels_of(labelled), progress);
}

/// Accuracy of the exact posterior on the test documents, as the model reads them.
double bayes_accuracy(const Chain& chain, const Labelled& labelled) {
  const std::int64_t first = labelled.counts.total() - labelled.counts.test;
  double right = 0;
  for (std::size_t i = static_cast<std::size_t>(first); i < labelled.documents.size(); ++i) {
    const auto tokens = std::span(labelled.documents[i]).subspan(1);  // after the begin token
    const std::vector<double> posterior = topic_posterior(chain, tokens, true);
    const auto named = std::max_element(posterior.begin(), posterior.end()) - posterior.begin();
    right += named == labelled.labels[i];
  }
  return right / static_cast<double>(labelled.counts.test);
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
  const Labelled labelled = documents_for(subject, probe);
  const SplitCounts& counts = labelled.counts;
  if (counts.training < 1 || counts.development < 1 || counts.test < 1)
    reject(
        "classification: there are {} training, {} development and {} test documents; each split "
        "needs at least one; give more labelled text",
        counts.training, counts.development, counts.test);
  const LinearProbe trained = probe_network(subject.network, subject, labelled, params,
                                            [&](double fraction) { progress(fraction / 2); });
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const LinearProbe untrained = probe_network(
      *initial, subject, labelled, params, [&](double fraction) { progress(0.5 + fraction / 2); });

  Measurement measurement;
  const std::string of = subject.language ? "topic." : "label.";
  measurement.metrics[of + "accuracy"] = trained.accuracy;
  measurement.metrics[of + "untrained"] = untrained.accuracy;
  measurement.metrics[of + "majority"] = majority_accuracy(labels_of(labelled));
  if (subject.language)
    measurement.metrics[of + "bayes"] = bayes_accuracy(subject.language->chain(), labelled);
  measurement.details = {{"trained", details_of(trained)},
                         {"untrained", details_of(untrained)},
                         {"labels", labelled.names},
                         {"documents",
                          {{"training", counts.training},
                           {"development", counts.development},
                           {"test", counts.test}}}};
  return measurement;
}

}  // namespace ablate::probes
