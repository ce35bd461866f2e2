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
  const double ceiling = mauve(normal(500, 4, 0, 1), normal(500, 4, 0, 2), 4, Rng(3));
  EXPECT_GT(ceiling, 0.97);
  EXPECT_LE(ceiling, 1 + 1e-9);
}

TEST(Mauve, FallsWhereSamplesDiffer) {
  const std::vector<float> real = normal(500, 4, 0, 1);
  const double near = mauve(normal(500, 4, 1, 2), real, 4, Rng(3));
  const double far = mauve(normal(500, 4, 3, 2), real, 4, Rng(3));
  EXPECT_LT(near, 0.98);
  EXPECT_LT(far, near - 0.2);
}

}  // namespace
}  // namespace ablate::probes
