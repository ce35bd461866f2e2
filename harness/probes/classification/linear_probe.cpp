// Chooses a layer, a pooling and a penalty on development documents.

#include "harness/probes/classification/linear_probe.h"

#include <algorithm>

namespace ablate::probes {
namespace {

/// From large to small, so that each fit starts from the previous solution.
constexpr double kPenalties[] = {1, 0.1, 0.01, 0.001, 1e-4};

/// Tolerance of a fit: accuracies converge long before costs do.
constexpr double kTolerance = 1e-4;

Observations observations(const LayerFeatures& features, const std::vector<std::int32_t>& labels) {
  return {.width = features.width, .features = features.values, .labels = labels};
}

struct Candidate {
  Fit development;
  double penalty = 0;
  double test = 0;

  bool beats(const Candidate& other) const {
    if (development.accuracy != other.development.accuracy)
      return development.accuracy > other.development.accuracy;
    return development.cost < other.development.cost;
  }
};

Candidate best_penalty(const SplitFeatures& features, const SplitLabels& labels) {
  Observations training = observations(features.training, labels.training);
  Observations development = observations(features.development, labels.development);
  Observations test = observations(features.test, labels.test);
  const Standardiser standardiser(training);
  for (Observations* rows : {&training, &development, &test}) standardiser.apply(*rows);
  LogisticModel model(training.width, labels.classes);
  Candidate best;
  for (const double penalty : kPenalties) {
    minimise(model, training, penalty, kTolerance);
    const Candidate next{score(model, development), penalty, score(model, test).accuracy};
    if (best.penalty == 0 || next.beats(best)) best = next;
  }
  return best;
}

}  // namespace

LinearProbe probe_linearly(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                           const std::function<void(double fraction)>& progress) {
  LinearProbe probe;
  Candidate best;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerFeatures& of = layers[i].training;
    const Candidate candidate = best_penalty(layers[i], labels);
    probe.by_layer.push_back({{"layer", of.layer},
                              {"pooling", of.pooling},
                              {"penalty", candidate.penalty},
                              {"development", candidate.development.accuracy}});
    if (i == 0 || candidate.beats(best)) {
      best = candidate;
      probe.layer = of.layer;
      probe.pooling = of.pooling;
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
  }
  probe.accuracy = best.test;
  probe.development = best.development.accuracy;
  probe.penalty = best.penalty;
  return probe;
}

double majority_accuracy(const SplitLabels& labels) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(labels.classes));
  for (const std::int32_t label : labels.training) ++counts[static_cast<std::size_t>(label)];
  const auto commonest = std::max_element(counts.begin(), counts.end()) - counts.begin();
  const auto right = std::count(labels.test.begin(), labels.test.end(), commonest);
  return static_cast<double>(right) / static_cast<double>(labels.test.size());
}

}  // namespace ablate::probes
