#include "harness/statistics/items/hierarchical_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ablate::statistics {
namespace {

/// Seeds whose means have deviation `seeds` and whose items have deviation `items` around them.
std::vector<std::vector<double>> drawn(double seeds, double items, std::size_t count) {
  Rng rng(1);
  std::vector<std::vector<double>> by_seed(8, std::vector<double>(count));
  for (auto& seed : by_seed) {
    const double own = seeds * rng.normal();
    for (double& item : seed) item = own + items * rng.normal();
  }
  return by_seed;
}

TEST(HierarchicalBootstrap, TellsSeedsFromItems) {
  const SeedsAndItems only_seeds = hierarchical_bootstrap(drawn(1, 0, 20), Rng(2));
  EXPECT_GT(only_seeds.seed_error, .2);
  EXPECT_NEAR(only_seeds.item_error, 0, 1e-12);
  const std::vector<std::vector<double>> by_seed = drawn(0, 1, 100);
  const SeedsAndItems only_items = hierarchical_bootstrap(by_seed, Rng(2));
  EXPECT_NEAR(only_items.item_error, 1 / std::sqrt(800.0), .004);
}

TEST(HierarchicalBootstrap, ErrorsAreThoseOfTheMean) {
  const auto by_seed = drawn(1, 1, 50);
  std::vector<double> means;
  for (const auto& seed : by_seed) means.push_back(mean(seed));
  const SeedsAndItems result = hierarchical_bootstrap(by_seed, Rng(2));
  EXPECT_DOUBLE_EQ(result.mean, mean(means));
  const double error = deviation(means) * std::sqrt(7.0 / 8) / std::sqrt(8.0);
  EXPECT_NEAR(result.seed_error / error, 1, 1e-12) << "of the population of eight means";
  EXPECT_LT(result.interval.low, result.mean);
  EXPECT_GT(result.interval.high, result.mean);
  const double width = (result.interval.high - result.interval.low) / 2;
  EXPECT_GT(width, 1.6 * result.seed_error) << "about two standard errors";
}

TEST(HierarchicalBootstrap, IsTheSameForTheSameRng) {
  const auto by_seed = drawn(1, 1, 5);
  EXPECT_EQ(hierarchical_bootstrap(by_seed, Rng(3)).interval.low,
            hierarchical_bootstrap(by_seed, Rng(3)).interval.low);
}

TEST(HierarchicalBootstrap, SeedsMayDifferInTheirItems) {
  const SeedsAndItems result = hierarchical_bootstrap({{1, 1, 1}, {3}}, Rng(1));
  EXPECT_EQ(result.mean, 2) << "seeds count alike, whatever their number of items";
  EXPECT_EQ(result.interval.low, 1);
  EXPECT_EQ(result.interval.high, 3);
}

}  // namespace
}  // namespace ablate::statistics
