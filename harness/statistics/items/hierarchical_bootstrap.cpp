#include "harness/statistics/items/hierarchical_bootstrap.h"

#include <cmath>

#include "harness/statistics/one_sample/bootstrap.h"

namespace ablate::statistics {
namespace {

std::size_t index_below(std::size_t count, Rng& rng) {
  return static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(count)));
}

double resampled_mean(std::span<const double> items, Rng& rng) {
  double sum = 0;
  for (std::size_t i = 0; i < items.size(); ++i) sum += items[index_below(items.size(), rng)];
  return sum / static_cast<double>(items.size());
}

/// The mean over as many seeds as there are, each drawn anew with items drawn anew.
double resampled(const std::vector<std::vector<double>>& by_seed, Rng rng) {
  double sum = 0;
  for (std::size_t i = 0; i < by_seed.size(); ++i)
    sum += resampled_mean(by_seed[index_below(by_seed.size(), rng)], rng);
  return sum / static_cast<double>(by_seed.size());
}

/// The variance of the mean of a resample, as large as the values are many.
double resampling_variance(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto count = static_cast<double>(values.size());
  return squares / count / count;
}

}  // namespace

SeedsAndItems hierarchical_bootstrap(const std::vector<std::vector<double>>& by_seed, Rng rng,
                                     double alpha) {
  std::vector<double> means, resamples;
  means.reserve(by_seed.size());
  resamples.reserve(kItemResamples);
  double item_variance = 0;  // of the sum over seeds
  for (const std::vector<double>& items : by_seed) {
    means.push_back(mean(items));
    item_variance += resampling_variance(items);
  }
  for (std::uint64_t i = 0; i < kItemResamples; ++i)
    resamples.push_back(resampled(by_seed, rng.fork(i)));
  return {.mean = mean(means),
          .interval = percentile_interval(resamples, alpha),
          .seed_error = std::sqrt(resampling_variance(means)),
          .item_error = std::sqrt(item_variance) / static_cast<double>(by_seed.size())};
}

}  // namespace ablate::statistics
