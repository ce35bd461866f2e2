// Measures how well a model classifies documents after fine-tuning: all learning rates and seeds as
// lanes of one bank.

#include <algorithm>
#include <cmath>

#include "harness/probes/classification/label_scores.h"
#include "harness/probes/classification/labelled_for.h"
#include "harness/probes/fine_tuning/classifier_bank.h"
#include "harness/probes/measuring.h"

namespace ablate::probes {
namespace {

using Documents = std::span<const std::vector<Token>>;

/// What is fine-tuned, and how.
struct Recipe {
  std::vector<double> rates;  // ascending
  std::size_t seeds = 1;
  FineTuneSettings settings;  // its lanes: every rate, and for each every seed
};

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

/// The result of one fine-tuning: of the learning rate that was chosen.
struct FineTuned {
  double accuracy = 0, macro_f1 = 0;  // on test documents, means over seeds
  double deviation = 0;               // of the accuracy over seeds
  double rate = 0;
  Json by_rate = Json::array();  // the accuracy on development documents
  std::vector<double> right;     // by test document, the fraction of lanes that name its label
};

double accuracy_of(const std::vector<std::int32_t>& named, std::span<const std::int32_t> labels,
                   std::int32_t classes) {
  return label_scores(named, labels, classes).accuracy;
}

/// The index of the rate with the highest accuracy on development documents, which are read first:
/// test documents are read by the chosen lanes alone.
std::size_t choose_rate(const Recipe& recipe, const ClassifierBank& bank, Documents development,
                        std::span<const std::int32_t> labels, Json& by_rate) {
  const std::vector<std::vector<std::int32_t>> named = bank.classify(development);
  std::size_t best = 0;
  double highest = -1;
  for (std::size_t rate = 0; rate < recipe.rates.size(); ++rate) {
    double sum = 0;
    for (std::size_t seed = 0; seed < recipe.seeds; ++seed)
      sum += accuracy_of(named[rate * recipe.seeds + seed], labels, recipe.settings.classes);
    const double mean = sum / static_cast<double>(recipe.seeds);
    by_rate.push_back({{"learning_rate", recipe.rates[rate]}, {"development", mean}});
    if (mean <= highest) continue;
    highest = mean;
    best = rate;
  }
  return best;
}

/// Adds what the lanes of the chosen rate name. `bank`: these lanes alone.
void add_test(const ClassifierBank& bank, Documents documents, std::span<const std::int32_t> labels,
              std::int32_t classes, FineTuned& result) {
  const std::vector<std::vector<std::int32_t>> named = bank.classify(documents);
  const auto seeds = static_cast<double>(named.size());
  double squares = 0;
  result.right.assign(labels.size(), 0);
  for (const std::vector<std::int32_t>& lane : named) {
    const LabelScores scores = label_scores(lane, labels, classes);
    result.accuracy += scores.accuracy / seeds;
    result.macro_f1 += scores.macro_f1 / seeds;
    squares += scores.accuracy * scores.accuracy;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (lane[i] == labels[i]) result.right[i] += 1 / seeds;
  }
  if (named.size() > 1)
    result.deviation =
        std::sqrt(std::max(0.0, squares - seeds * result.accuracy * result.accuracy) / (seeds - 1));
}

FineTuned fine_tuned(const Subject& subject, train::Network& network, Recipe recipe,
                     Attention attention, const Labelled& labelled, const ProgressSink& progress) {
  recipe.settings.attention = attention;
  const Documents all = labelled.documents;
  const auto training = static_cast<std::size_t>(labelled.counts.training);
  const auto development = static_cast<std::size_t>(labelled.counts.development);
  const SplitLabels labels = labels_of(labelled);
  ClassifierBank bank(copies_of(subject, network, recipe.settings.lanes.size()), recipe.settings);
  bank.fine_tune({all.first(training), labels.training}, progress);
  FineTuned result;
  const std::size_t rate = choose_rate(recipe, bank, all.subspan(training, development),
                                       labels.development, result.by_rate);
  result.rate = recipe.rates[rate];
  const ClassifierBank chosen =
      bank.part(rate * recipe.seeds, subject.bank(static_cast<std::int64_t>(recipe.seeds)));
  add_test(chosen, all.subspan(training + development), labels.test, recipe.settings.classes,
           result);
  return result;
}

Json details_of(const FineTuned& result) {
  return {{"learning_rate", result.rate}, {"by_rate", result.by_rate}};
}

}  // namespace

Measurement measure_fine_tuning(const Subject& subject, const plan::ResolvedProbe& probe,
                                const ProgressSink& progress) {
  const Labelled labelled = labelled_for(subject, probe);
  const auto classes = static_cast<std::int32_t>(labelled.names.size());
  const Recipe recipe = recipe_of(subject, probe.params, classes);
  const Attention native = subject.phase.objective.needs.attention;
  const bool twice = native != Attention::bidirectional;
  double done = 0;
  const double runs = twice ? 3 : 2;
  const auto run = [&](train::Network& network, Attention attention) {
    FineTuned result = fine_tuned(subject, network, recipe, attention, labelled,
                                  [&](double fraction) { progress((done + fraction) / runs); });
    ++done;
    return result;
  };
  const FineTuned own = run(subject.network, native);
  const FineTuned both = twice ? run(subject.network, Attention::bidirectional) : own;
  const FineTuned untrained = run(*subject.untrained(), native);

  Measurement measurement;
  auto& metrics = measurement.metrics;
  const std::string of = subject_of(probe.params, "fine_tuning") + ".";
  metrics[of + "accuracy"] = own.accuracy;
  measurement.items[of + "accuracy"] = own.right;
  metrics[of + "macro_f1"] = own.macro_f1;
  metrics[of + "accuracy_bidirectional"] = both.accuracy;
  metrics[of + "macro_f1_bidirectional"] = both.macro_f1;
  metrics[of + "untrained"] = untrained.accuracy;
  metrics[of + "majority"] = majority_accuracy(labels_of(labelled));
  metrics[of + "seed_deviation"] = own.deviation;
  metrics[of + "learning_rate"] = own.rate;
  if (subject.language) metrics[of + "bayes"] = bayes_accuracy(subject.language->chain(), labelled);
  measurement.details = {{"own_attention", details_of(own)},
                         {"bidirectional", details_of(both)},
                         {"untrained", details_of(untrained)},
                         {"labels", labelled.names},
                         {"documents",
                          {{"training", labelled.counts.training},
                           {"development", labelled.counts.development},
                           {"test", labelled.counts.test}}}};
  return measurement;
}

}  // namespace ablate::probes
