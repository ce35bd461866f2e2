// MAUVE: closed forms, and its ceiling for two samples of one distribution.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/probes/text_quality/clusters.h"
#include "harness/probes/text_quality/divergence.h"

namespace ablate::probes {
namespace {

TEST(DivergenceArea, IsOneForEqualDistributionsAndSmallForDisjointOnes) {
  const std::vector<double> p = {.2, .3, .5}, none = {0, 0, 1}, other = {1, 0, 0};
  EXPECT_NEAR(divergence_area(p, p), 1, 1e-4);
  EXPECT_LT(divergence_area(none, other), 0.01);
  EXPECT_DOUBLE_EQ(divergence_area(p, none), divergence_area(none, p));
}

// Closer distributions have a larger area.
TEST(DivergenceArea, FallsWithDistance) {
  const std::vector<double> p = {.5, .5};
  double before = 1.1;
  for (const double shift : {0.0, 0.1, 0.2, 0.3, 0.4}) {
    const double area = divergence_area(p, std::vector<double>{.5 + shift, .5 - shift});
    EXPECT_LT(area, before);
    before = area;
  }
}

TEST(FrontierIntegral, IsZeroForEqualDistributionsAndOneForDisjointOnes) {
  const std::vector<double> p = {.2, .3, .5}, one = {.5, .5, 0, 0}, other = {0, 0, .1, .9};
  EXPECT_NEAR(frontier_integral(p, p), 0, 1e-12);
  EXPECT_NEAR(frontier_integral(one, other), 1, 1e-12);
  EXPECT_NEAR(frontier_integral(p, std::vector<double>{.3, .3, .4}),
              frontier_integral(std::vector<double>{.3, .3, .4}, p), 1e-12);
}

double term(double p, double q) { return p > 0 ? p * std::log(p / q) : 0; }

// The midpoint rule with 20,000 points.
TEST(FrontierIntegral, IsTheIntegralThatDefinesIt) {
  const std::vector<double> p = {.7, .2, .1, 0}, q = {.1, .2, .3, .4};
  constexpr int kPoints = 20000;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double w = (i + .5) / kPoints;
    for (std::size_t cell = 0; cell < p.size(); ++cell) {
      const double r = w * p[cell] + (1 - w) * q[cell];
      sum += 2 * (w * term(p[cell], r) + (1 - w) * term(q[cell], r)) / kPoints;
    }
  }
  EXPECT_NEAR(frontier_integral(p, q), sum, 1e-6);
}

std::vector<float> normal(std::size_t count, std::size_t width, double shift, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> values;
  for (std::size_t i = 0; i < count * width; ++i)
    values.push_back(static_cast<float>(rng.normal() + (i % width == 0 ? shift : 0)));
  return values;
}

TEST(Clusters, AreThoseThatLieApart) {
  std::vector<float> points;
  Rng rng(1);
  for (int i = 0; i < 60; ++i)
    for (int d = 0; d < 2; ++d)
      points.push_back(static_cast<float>(rng.normal() * 0.1 + 10 * (i % 3) * (d == 0 ? 1 : -1)));
  const std::vector<std::size_t> clusters = clusters_of(points, 2, 3, 5, Rng(2));
  for (std::size_t i = 3; i < 60; ++i) EXPECT_EQ(clusters[i], clusters[i % 3]);
  EXPECT_NE(clusters[0], clusters[1]);
  EXPECT_NE(clusters[1], clusters[2]);
  EXPECT_EQ(clusters, clusters_of(points, 2, 3, 5, Rng(2)));
}

TEST(Clusters, AreNoMoreThanPoints) {
  const std::vector<float> points = {1, 2};
  EXPECT_LE(clusters_of(points, 1, 8, 2, Rng(1)).size(), 2u);
}

// 500 texts a side and 20 clusters: about .99.
TEST(Mauve, OfTwoSamplesOfOneDistributionIsItsCeiling) {
  const TextDivergence ceiling =
      text_divergence(normal(500, 4, 0, 1), normal(500, 4, 0, 2), 4, Rng(3));
  EXPECT_GT(ceiling.mauve, 0.97);
  EXPECT_LE(ceiling.mauve, 1 + 1e-9);
  EXPECT_LT(ceiling.frontier, 0.02);
}

TEST(Mauve, FallsWhereSamplesDifferAndTheFrontierIntegralRises) {
  const std::vector<float> real = normal(500, 4, 0, 1);
  const TextDivergence near = text_divergence(normal(500, 4, 1, 2), real, 4, Rng(3));
  const TextDivergence far = text_divergence(normal(500, 4, 3, 2), real, 4, Rng(3));
  EXPECT_LT(near.mauve, 0.98);
  EXPECT_LT(far.mauve, near.mauve - 0.2);
  EXPECT_LT(far.smoothed, near.smoothed - 0.2);
  EXPECT_GT(far.frontier, near.frontier + 0.1);
}

// Half a text in every cell draws two distributions together: most where texts are few.
TEST(Mauve, IsHigherWhereItIsSmoothed) {
  const std::vector<float> real = normal(100, 4, 0, 1), other = normal(100, 4, 3, 2);
  const TextDivergence seen = text_divergence(other, real, 4, Rng(3));
  EXPECT_GT(seen.smoothed, seen.mauve);
  EXPECT_LT(seen.smoothed, 1);
}

}  // namespace
}  // namespace ablate::probes
