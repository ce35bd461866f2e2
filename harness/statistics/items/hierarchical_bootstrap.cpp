#include "harness/statistics/items/hierarchical_bootstrap.h"

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

/// The mean of one resample. What is not drawn anew is as it was observed.
double resampled(const std::vector<std::vector<double>>& by_seed, bool seeds, bool items, Rng rng) {
  double sum = 0;
  for (std::size_t i = 0; i < by_seed.size(); ++i) {
    const std::vector<double>& seed = by_seed[seeds ? index_below(by_seed.size(), rng) : i];
    sum += items ? resampled_mean(seed, rng) : mean(seed);
  }
  return sum / static_cast<double>(by_seed.size());
}

std::vector<double> resamples(const std::vector<std::vector<double>>& by_seed, bool seeds,
                              bool items, Rng rng) {
  std::vector<double> means;
  for (std::uint64_t i = 0; i < kDrawnResamples; ++i)
    means.push_back(resampled(by_seed, seeds, items, rng.fork(i)));
  return means;
}

}  // namespace

SeedsAndItems hierarchical_bootstrap(const std::vector<std::vector<double>>& by_seed, Rng rng,
                                     double alpha) {
  std::vector<double> means;
  means.reserve(by_seed.size());
  for (const std::vector<double>& items : by_seed) means.push_back(mean(items));
  return {.mean = mean(means),
          .interval = percentile_interval(resamples(by_seed, true, true, rng.fork("both")), alpha),
          .seed_error = deviation(resamples(by_seed, true, false, rng.fork("seeds"))),
          .item_error = deviation(resamples(by_seed, false, true, rng.fork("items")))};
}

}  // namespace ablate::statistics
