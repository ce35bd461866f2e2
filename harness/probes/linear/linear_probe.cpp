// Chooses a layer, a pooling and a penalty on the development split.

#include "harness/probes/linear/linear_probe.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/base/time/time_spent.h"

namespace ablate::probes {
namespace {

constexpr double kPenalties[] = {1, 0.1, 0.01, 0.001, 1e-4};

Observations observations(const LayerFeatures& features, const std::vector<std::int32_t>& labels) {
  return {.width = features.width, .features = features.values, .labels = labels};
}

struct Candidate {
  double quality = 0, cost = 0;  // on development rows
  double penalty = 0;
  Fit test;

  bool beats(const Candidate& other) const {
    return quality != other.quality ? quality > other.quality : cost < other.cost;
  }
};

Candidate best_penalty(const SplitFeatures& features, const SplitLabels& labels,
                       std::span<const double> penalties, const RowQuality& quality) {
  const Spending spending(Activity::fits);
  Observations training = observations(features.training, labels.training);
  Observations development = observations(features.development, labels.development);
  Observations test = observations(features.test, labels.test);
  const Standardiser standardiser(training);
  for (Observations* rows : {&training, &development, &test}) standardiser.apply(*rows);
  const LogisticFit fits(training);
  LogisticModel model(training.width, labels.classes);
  Candidate best;
  LogisticModel chosen = model;
  for (const double penalty : penalties) {
    DevelopmentCosts costs(development);
    fits.minimise(model, penalty, kSettledTolerance,
                  [&](const LogisticModel& reached) { return costs.settled(reached); });
    const Fit fit = score(model, development);
    const Candidate one{quality ? quality(fit.named) : fit.accuracy, fit.cost, penalty, {}};
    if (best.penalty != 0 && !one.beats(best)) continue;
    best = one;
    chosen = model;
  }
  best.test = score(chosen, test);
  return best;
}

}  // namespace

bool DevelopmentCosts::settled(const LogisticModel& model) {
  if (++steps_ < next_look_) return false;
  next_look_ += next_look_ / 2;
  Fit fit = score(model, rows_);
  const std::vector<double> before = std::exchange(costs_, std::move(fit.costs));
  if (before.empty()) return false;
  double change = 0, squares = 0;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    change += std::abs(costs_[i] - before[i]);
    squares += (costs_[i] - fit.cost) * (costs_[i] - fit.cost);
  }
  return change < 0.5 * std::sqrt(squares);  // both times the number of rows
}

void LayerChoice::consider(const SplitFeatures& features, const SplitLabels& labels) {
  const LayerFeatures& of = features.training;
  Candidate candidate = best_penalty(features, labels, penalties_, quality_);
  best_.by_layer.push_back({{"layer", of.layer},
                            {"pooling", of.pooling},
                            {"penalty", candidate.penalty},
                            {"development", candidate.quality},
                            {"accuracy", candidate.test.accuracy}});
  if (best_.by_layer.size() > 1 && !candidate.beats({highest_, lowest_cost_, 0, {}})) return;
  highest_ = candidate.quality;
  lowest_cost_ = candidate.cost;
  best_.layer = of.layer;
  best_.pooling = of.pooling;
  best_.penalty = candidate.penalty;
  best_.development = candidate.quality;
  best_.accuracy = candidate.test.accuracy;
  best_.named = std::move(candidate.test.named);
}

LinearProbe probe_linearly(const std::vector<SplitFeatures>& layers, const SplitLabels& labels,
                           const std::function<void(double fraction)>& progress) {
  LayerChoice choice(kPenalties);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    choice.consider(layers[i], labels);
    progress(static_cast<double>(i + 1) / static_cast<double>(layers.size()));
  }
  return choice.best();
}

double majority_accuracy(const SplitLabels& labels) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(labels.classes));
  for (const std::int32_t label : labels.training) ++counts[static_cast<std::size_t>(label)];
  const auto commonest = std::max_element(counts.begin(), counts.end()) - counts.begin();
  const auto right = std::count(labels.test.begin(), labels.test.end(), commonest);
  return static_cast<double>(right) / static_cast<double>(labels.test.size());
}

}  // namespace ablate::probes
