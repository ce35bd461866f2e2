#include "harness/probes/fine_tuning/protocol.h"

#include <algorithm>
#include <cmath>

#include "harness/probes/classification/label_scores.h"

namespace ablate::probes {
namespace {

/// The accuracy of each rate, the mean over its seeds.
std::vector<double> accuracies(const Recipe& recipe, const ClassifierBank& bank,
                               const LabelledDocuments& given) {
  const std::vector<std::vector<std::int32_t>> named = bank.classify(given.documents);
  std::vector<double> means;
  for (std::size_t rate = 0; rate < recipe.rates.size(); ++rate) {
    double sum = 0;
    for (std::size_t seed = 0; seed < recipe.seeds; ++seed)
      sum += label_scores(named[rate * recipe.seeds + seed], given.labels, recipe.settings.classes)
                 .accuracy;
    means.push_back(sum / static_cast<double>(recipe.seeds));
  }
  return means;
}

/// Adds what the lanes of the chosen rate name. `bank`: these lanes alone.
void add_test(const ClassifierBank& bank, const LabelledDocuments& given, std::int32_t classes,
              FineTuned& result) {
  const std::vector<std::vector<std::int32_t>> named = bank.classify(given.documents);
  const auto seeds = static_cast<double>(named.size());
  double squares = 0;
  result.right.assign(given.labels.size(), 0);
  for (const std::vector<std::int32_t>& lane : named) {
    const LabelScores scores = label_scores(lane, given.labels, classes);
    result.accuracy += scores.accuracy / seeds;
    result.macro_f1 += scores.macro_f1 / seeds;
    squares += scores.accuracy * scores.accuracy;
    for (std::size_t i = 0; i < given.labels.size(); ++i)
      if (lane[i] == given.labels[i]) result.right[i] += 1 / seeds;
  }
  if (named.size() > 1)
    result.deviation =
        std::sqrt(std::max(0.0, squares - seeds * result.accuracy * result.accuracy) / (seeds - 1));
}

}  // namespace

FineTuned fine_tune(std::unique_ptr<train::Network> network, const Recipe& recipe,
                    const ReadSplit& read,
                    const std::function<std::unique_ptr<train::Network>(std::int64_t)>& bank_of,
                    const std::function<void(double fraction)>& progress) {
  ClassifierBank bank(std::move(network), recipe.settings);
  bank.fine_tune(read(Split::training), progress);
  FineTuned result;
  result.by_rate = accuracies(recipe, bank, read(Split::development));
  const auto best = static_cast<std::size_t>(
      std::max_element(result.by_rate.begin(), result.by_rate.end()) - result.by_rate.begin());
  result.rate = recipe.rates[best];
  const ClassifierBank chosen =
      bank.part(best * recipe.seeds, bank_of(static_cast<std::int64_t>(recipe.seeds)));
  add_test(chosen, read(Split::test), recipe.settings.classes, result);
  return result;
}

}  // namespace ablate::probes
