// Measures how well a model classifies documents after fine-tuning: all learning rates and seeds as
// lanes of one bank.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "harness/probes/classification/labelled_files_spec.h"
#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/fine_tuning/protocol.h"
#include "harness/probes/fine_tuning/shared_floor.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

Recipe recipe_of(const Subject& subject, const Params& params, std::int32_t classes) {
  Recipe recipe{.rates = params.json().at("learning_rates").get<std::vector<double>>(),
                .seeds = static_cast<std::size_t>(params.integer("seeds"))};
  std::sort(recipe.rates.begin(), recipe.rates.end());
  recipe.settings = {.classes = classes,
                     .epochs = params.integer("epochs"),
                     .batch = params.integer("batch"),
                     .mean = params.text("pooling") == "mean",
                     .device = subject.device};
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("fine_tuning");
  for (const double rate : recipe.rates)
    for (std::size_t seed = 0; seed < recipe.seeds; ++seed)
      recipe.settings.lanes.push_back({rate, rng.fork(seed).next()});
  return recipe;
}

/// The documents of each split; the first `fitted` of those of training.
ReadSplit splits_of(const Labelled& labelled, const SplitLabels& labels, std::int64_t fitted) {
  const std::span<const std::vector<Token>> all = labelled.documents;
  const auto training = static_cast<std::size_t>(labelled.counts.training);
  const auto development = static_cast<std::size_t>(labelled.counts.development);
  const auto count = static_cast<std::size_t>(fitted);
  return [=, &labels](Split split) -> LabelledDocuments {
    switch (split) {
      case Split::training:
        return {all.first(count), std::span(labels.training).first(count)};
      case Split::development:
        return {all.subspan(training, development), labels.development};
      case Split::test:
        break;
    }
    return {all.subspan(training + development), labels.test};
  };
}

Json details_of(const FineTuned& result, const Recipe& recipe) {
  Json by_rate = Json::array();
  for (std::size_t rate = 0; rate < recipe.rates.size(); ++rate)
    by_rate.push_back(
        {{"learning_rate", recipe.rates[rate]}, {"development", result.by_rate[rate]}});
  return {{"learning_rate", result.rate}, {"by_rate", std::move(by_rate)}};
}

/// The accuracy on development documents by learning rate, for the metric of the chosen one.
Json curve_of(const std::string& metric, const FineTuned& result, const Recipe& recipe) {
  Json points = Json::array();
  for (std::size_t rate = 0; rate < recipe.rates.size(); ++rate)
    points.push_back({recipe.rates[rate], result.by_rate[rate]});
  return {{"metric", metric},
          {"along", "learning rate"},
          {"chosen", result.rate},
          {"points", std::move(points)}};
}

/// The results of one attention: from the trained weights and from initial ones.
struct Pair {
  FineTuned trained, untrained;
};

/// Adds the metrics of one attention, which end in `suffix`.
void add_pair(const Pair& pair, const Recipe& recipe, const std::string& of,
              const std::string& suffix, Measurement& measurement) {
  auto& metrics = measurement.metrics;
  metrics[of + "accuracy" + suffix] = pair.trained.accuracy;
  metrics[of + "macro_f1" + suffix] = pair.trained.macro_f1;
  metrics[of + "untrained" + suffix] = pair.untrained.accuracy;
  metrics[of + "untrained_macro_f1" + suffix] = pair.untrained.macro_f1;
  metrics[of + "gain" + suffix] = pair.trained.accuracy - pair.untrained.accuracy;
  measurement.items[of + "accuracy" + suffix] = pair.trained.right;
  Json& curves = measurement.details["curves"];
  curves.push_back(curve_of(of + "accuracy" + suffix, pair.trained, recipe));
  curves.push_back(curve_of(of + "untrained" + suffix, pair.untrained, recipe));
}

/// Adds the accuracies with fewer labels, and the curves up to all of them.
void add_label_curves(std::span<const std::pair<std::int64_t, Pair>> with, const Pair& all,
                      std::int64_t documents, const std::string& of, Measurement& measurement) {
  Json trained = Json::array(), untrained = Json::array();
  const auto add = [&](std::int64_t count, const Pair& pair) {
    trained.push_back({count, pair.trained.accuracy});
    untrained.push_back({count, pair.untrained.accuracy});
  };
  for (const auto& [count, pair] : with) {
    measurement.metrics[fmt::format("{}accuracy_{}", of, count)] = pair.trained.accuracy;
    measurement.metrics[fmt::format("{}untrained_{}", of, count)] = pair.untrained.accuracy;
    add(count, pair);
  }
  if (with.empty()) return;
  add(documents, all);
  for (auto& [name, points] : {std::pair{"accuracy", &trained}, {"untrained", &untrained}})
    measurement.details["curves"].push_back(
        {{"metric", of + name}, {"along", "training documents"}, {"points", std::move(*points)}});
}

}  // namespace

Measurement measure_fine_tuning(const Subject& subject, const plan::ResolvedProbe& probe,
                                const ProgressSink& progress) {
  const Labelled labelled = labelled_for(subject, probe);
  const SplitLabels labels = labels_of(labelled);
  Recipe recipe = recipe_of(subject, probe.params, labels.classes);
  const Reading native = subject.phase.objective.needs.reading();
  const bool twice = !native.sees_all();
  std::vector<std::int64_t> counts = label_counts(probe.params);
  std::erase_if(counts, [&](std::int64_t count) { return count >= labelled.counts.training; });
  double done = 0;
  const double runs = (twice ? 4 : 2) + 2 * static_cast<double>(counts.size());
  const auto run = [&](train::Network& network, Reading reading, std::int64_t documents) {
    recipe.settings.reading = reading;
    return fine_tune(copies_of(subject, network, recipe.settings.lanes.size()), recipe,
                     splits_of(labelled, labels, documents), subject.bank,
                     [&](double fraction) { progress((done + fraction) / runs); });
  };
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const auto run_pair = [&](Reading reading, std::int64_t documents) {
    Pair pair{.trained = run(subject.network, reading, documents), .untrained = {}};
    ++done;
    pair.untrained = shared_floor(subject, *initial, recipe, splits_of(labelled, labels, documents),
                                  [&] { return run(*initial, reading, documents); });
    ++done;
    return pair;
  };
  const Pair own = run_pair(native, labelled.counts.training);
  const Pair both =
      twice ? run_pair({Attention::bidirectional, native.reversed}, labelled.counts.training) : own;
  std::vector<std::pair<std::int64_t, Pair>> fewer;
  for (const std::int64_t count : counts) fewer.emplace_back(count, run_pair(native, count));

  Measurement measurement;
  auto& metrics = measurement.metrics;
  const std::string of = subject_of(probe.params, "fine_tuning") + ".";
  measurement.details = {{"own_attention", details_of(own.trained, recipe)},
                         {"bidirectional", details_of(both.trained, recipe)},
                         {"untrained", details_of(own.untrained, recipe)},
                         {"untrained_bidirectional", details_of(both.untrained, recipe)},
                         {"labels", labelled.names},
                         {"documents", labelled.counts.json()},
                         {"curves", Json::array()}};
  add_pair(own, recipe, of, "", measurement);
  add_pair(both, recipe, of, "_bidirectional", measurement);
  add_label_curves(fewer, own, labelled.counts.training, of, measurement);
  metrics[of + "majority"] = majority_accuracy(labels);
  metrics[of + "seed_deviation"] = own.trained.deviation;
  if (subject.language) metrics[of + "bayes"] = bayes_accuracy(subject.language->chain(), labelled);
  return measurement;
}

}  // namespace ablate::probes
