// Fits the probe as a logistic regression whose labels are probabilities.

#include "harness/probes/linear/softmax_probe.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/time/time_spent.h"

namespace ablate::probes {
namespace {

constexpr double kSoftmaxPenalties[] = {0.1, 0.01, 0.001, 1e-4};

Observations rows_of(const LayerFeatures& features, const std::vector<double>& wanted,
                     std::int64_t classes) {
  Observations rows{
      .width = features.width, .features = features.values, .labels = {}, .probabilities = wanted};
  for (auto row = wanted.begin(); row != wanted.end(); row += classes)
    rows.labels.push_back(static_cast<std::int32_t>(std::max_element(row, row + classes) - row));
  return rows;
}

/// The entropy of each row, nats.
std::vector<double> entropies(const std::vector<double>& rows, std::int64_t classes) {
  std::vector<double> all;
  all.reserve(rows.size() / static_cast<std::size_t>(classes));
  for (auto row = rows.begin(); row != rows.end(); row += classes)
    all.push_back(std::accumulate(row, row + classes, 0.0, [](double sum, double p) {
      return p > 0 ? sum - p * std::log(p) : sum;
    }));
  return all;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

SoftmaxProbe fit_softmax(const SplitFeatures& features, const SplitProbabilities& wanted) {
  const Spending spending(Activity::fits);
  Observations training = rows_of(features.training, wanted.training, wanted.classes);
  Observations development = rows_of(features.development, wanted.development, wanted.classes);
  Observations test = rows_of(features.test, wanted.test, wanted.classes);
  const Standardiser standardiser(training);
  for (Observations* rows : {&training, &development, &test}) standardiser.apply(*rows);
  const double least = mean(entropies(wanted.development, wanted.classes));
  const LogisticFit fits(training);
  LogisticModel model(training.width, wanted.classes), chosen = model;
  SoftmaxProbe best;
  for (const double penalty : kSoftmaxPenalties) {
    DevelopmentCosts costs(development);
    fits.minimise(model, penalty, kSettledTolerance,
                  [&](const LogisticModel& reached) { return costs.settled(reached); });
    const double divergence = score(model, development).cost - least;
    if (best.penalty > 0 && divergence >= best.development) continue;
    best.penalty = penalty;
    best.development = divergence;
    chosen = model;
  }
  best.of_rows = score(chosen, test).costs;
  const std::vector<double> own = entropies(wanted.test, wanted.classes);
  for (std::size_t i = 0; i < own.size(); ++i) best.of_rows[i] -= own[i];
  best.test = mean(best.of_rows);
  return best;
}

}  // namespace ablate::probes
