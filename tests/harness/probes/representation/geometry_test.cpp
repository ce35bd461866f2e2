// Laws of the geometry of vectors: invariances, closed forms and examples by hand.

#include "harness/probes/representation/geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "harness/base/rng.h"
#include "harness/probes/representation/similarity.h"

namespace ablate::probes {
namespace {

using Values = std::vector<double>;
using Labels = std::vector<std::int32_t>;

Values gaussian(std::size_t count, std::size_t width, std::uint64_t seed, double shift = 0) {
  Rng rng(seed);
  Values values(count * width);
  for (double& value : values) value = rng.normal() + shift;
  return values;
}

/// The vectors times a product of rotations, all of them times a scale.
Values rotated(Values values, std::size_t width, double scale) {
  for (std::size_t i = 0; i < values.size() / width; ++i)
    for (std::size_t d = 0; d + 1 < width; ++d) {
      double &x = values[i * width + d], &y = values[i * width + d + 1];
      const double angle = 0.3 + static_cast<double>(d), was = x;
      x = std::cos(angle) * was - std::sin(angle) * y;
      y = std::sin(angle) * was + std::cos(angle) * y;
    }
  for (double& value : values) value *= scale;
  return values;
}

// Of n vectors of width d the mean cosine has the standard deviation sqrt(2 / d) / n: 3e-4 here.
TEST(Anisotropy, IsZeroWithoutADirectionAndOneWithOneAlone) {
  const Values spread = gaussian(1000, 20, 1), shifted = gaussian(1000, 20, 1, 3);
  EXPECT_NEAR(anisotropy({spread, 20}), 0, 1.2e-3);
  EXPECT_GT(anisotropy({shifted, 20}), 0.8);
  const Values centre = centred({shifted, 20});
  EXPECT_NEAR(anisotropy({centre, 20}), 0, 1.2e-3) << "the shift is gone";
  const Values same = {1, 2, 2, 4, 3, 6};
  EXPECT_NEAR(anisotropy({same, 2}), 1, 1e-12);
  EXPECT_TRUE(std::isnan(anisotropy({std::span(same).first(2), 2})));
}

TEST(Anisotropy, IsTheMeanOverAllPairs) {
  const Values right_angles = {3, 0, 0, 1, -1, 0};  // cosines 0, -1, 0
  EXPECT_NEAR(anisotropy({right_angles, 2}), -1.0 / 3, 1e-12);
}

TEST(Alignment, IsZeroOfTheSameAndTheSquaredDistanceOfOthers) {
  const Values units = {1, 0, 1, 0, 0, 1, -1, 0};
  EXPECT_EQ(alignment({units, 2}, Labels{0, 0, 1, 2}), 0);
  EXPECT_NEAR(alignment({units, 2}, Labels{0, 1, 0, 1}), (2.0 + 4.0) / 2, 1e-12);
  EXPECT_TRUE(std::isnan(alignment({units, 2}, Labels{0, 1, 2, 3})));
}

TEST(Uniformity, IsZeroOfTheSameAndLowestOfSpreadVectors) {
  const Values same = {1, 0, 1, 0, 1, 0}, pair = {1, 0, -1, 0};
  EXPECT_EQ(uniformity({same, 2}), 0);
  EXPECT_NEAR(uniformity({pair, 2}), -8, 1e-12) << "log exp(-2 * 2^2)";
  const Values spread = unit_vectors({gaussian(300, 30, 2), 30});
  EXPECT_NEAR(uniformity({spread, 30}), -4, 0.3) << "distances near sqrt(2) in many dimensions";
}

// Three of a label and one of another. Vector 0 finds 3, 1, 2 in this order.
TEST(Retrieval, AgreesWithAnExampleByHand) {
  const auto at = [](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return std::pair(std::cos(angle), std::sin(angle));
  };
  Values units;
  for (const double degrees : {0.0, 20.0, 40.0, 10.0})
    for (const double x : {at(degrees).first, at(degrees).second}) units.push_back(x);
  const Retrieval found = retrieval({units, 2}, Labels{0, 0, 0, 1});
  EXPECT_EQ(found.questions, 3) << "there is no other of the second label";
  // Vector 1 finds 3, 0, 2; vector 2 finds 1, 3, 0.
  const double second = 1 / std::log2(3), third = 1 / std::log2(4);
  EXPECT_NEAR(found.recall_at_1, 1.0 / 3, 1e-12);
  EXPECT_EQ(found.recall_at_5, 1);
  EXPECT_NEAR(found.ndcg_at_10,
              (2 * (second + third) / (1 + second) + (1 + third) / (1 + second)) / 3, 1e-12);
}

TEST(Retrieval, IsPerfectWhereLabelsStandApartAndByChanceWhereTheySayNothing) {
  Values apart;
  Labels labels;
  Rng rng(3);
  for (int i = 0; i < 60; ++i) {
    labels.push_back(i % 3);
    for (int d = 0; d < 3; ++d) apart.push_back((d == i % 3) + 0.01 * rng.normal());
  }
  const Values units = unit_vectors({apart, 3});
  const Retrieval perfect = retrieval({units, 3}, labels);
  EXPECT_EQ(perfect.recall_at_1, 1);
  EXPECT_NEAR(perfect.ndcg_at_10, 1, 1e-12);
  // 600 questions with 199 of 599 relevant: the standard deviation of the mean is below .02.
  Labels random;
  for (int i = 0; i < 600; ++i) random.push_back(i % 3);
  const Values noise = unit_vectors({gaussian(600, 10, 4), 10});
  EXPECT_NEAR(retrieval({noise, 10}, random).recall_at_1, 1.0 / 3, 0.06);
}

TEST(Retrieval, DoesNotChangeUnderRotation) {
  const Values vectors = gaussian(50, 6, 5);
  const Values a = unit_vectors({vectors, 6}), turned = rotated(vectors, 6, 3);
  const Values b = unit_vectors({turned, 6});
  Labels labels;
  for (int i = 0; i < 50; ++i) labels.push_back(i % 5);
  EXPECT_NEAR(retrieval({a, 6}, labels).ndcg_at_10, retrieval({b, 6}, labels).ndcg_at_10, 1e-12);
  EXPECT_NEAR(uniformity({a, 6}), uniformity({b, 6}), 1e-9);
}

TEST(Cka, IsOneOfARotationAndOfItself) {
  const Values vectors = gaussian(40, 5, 6, 1);
  const Values turned = rotated(vectors, 5, 0.1);
  EXPECT_NEAR(linear_cka({vectors, 5}, {vectors, 5}), 1, 1e-12);
  EXPECT_NEAR(linear_cka({vectors, 5}, {turned, 5}), 1, 1e-9);
  Values moved = vectors;
  for (double& value : moved) value += 7;
  EXPECT_NEAR(linear_cka({vectors, 5}, {moved, 5}), 1, 1e-9) << "translation";
}

TEST(Cka, IsSymmetricAndDoesNotChangeUnderRotation) {
  const Values a = gaussian(60, 5, 7);
  Values b = gaussian(60, 3, 8);
  for (std::size_t i = 0; i < 60; ++i) b[3 * i] += 2 * a[5 * i];
  const double both = linear_cka({a, 5}, {b, 3});
  const Values turned = rotated(b, 3, 5);
  EXPECT_NEAR(linear_cka({b, 3}, {a, 5}), both, 1e-12);
  EXPECT_NEAR(linear_cka({a, 5}, {turned, 3}), both, 1e-9);
  EXPECT_GT(both, 0.2);
  EXPECT_LT(both, 0.9);
}

// The biased estimator is near 1 for as many dimensions as vectors, whatever they are.
TEST(Cka, IsZeroOnAverageOfWhatIsIndependent) {
  double sum = 0, squares = 0;
  constexpr int kDraws = 200;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto seed = static_cast<std::uint64_t>(draw);
    const Values a = gaussian(20, 30, 2 * seed + 100), b = gaussian(20, 30, 2 * seed + 101);
    const double cka = linear_cka({a, 30}, {b, 30});
    sum += cka;
    squares += cka * cka;
  }
  const double mean = sum / kDraws;
  const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
  EXPECT_LT(std::abs(mean), 4 * error);
  EXPECT_LT(error, 0.02);
}

/// The estimator of Song et al. 2012, equation 5, from the kernels themselves.
double hsic_by_kernels(Values a, std::size_t width_a, Values b, std::size_t width_b) {
  const std::size_t n = a.size() / width_a;
  const auto kernel = [&](const Values& v, std::size_t width, std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t d = 0; i != j && d < width; ++d) sum += v[i * width + d] * v[j * width + d];
    return sum;
  };
  double trace = 0, total_a = 0, total_b = 0, chain = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double k = kernel(a, width_a, i, j);
      trace += k * kernel(b, width_b, j, i);
      total_a += k;
      total_b += kernel(b, width_b, i, j);
      for (std::size_t m = 0; m < n; ++m) chain += k * kernel(b, width_b, j, m);
    }
  const auto count = static_cast<double>(n);
  return trace + total_a * total_b / ((count - 1) * (count - 2)) - 2 / (count - 2) * chain;
}

TEST(Cka, IsTheRatioOfTheUnbiasedEstimators) {
  const Values a = gaussian(9, 3, 9), b = gaussian(9, 2, 10);
  const double expected = hsic_by_kernels(a, 3, b, 2) /
                          std::sqrt(hsic_by_kernels(a, 3, a, 3) * hsic_by_kernels(b, 2, b, 2));
  EXPECT_NEAR(linear_cka({a, 3}, {b, 2}), expected, 1e-9);
}

double cosine(const Values& a, const Values& b) {
  const auto inner = [](const Values& x, const Values& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return inner(a, b) / std::sqrt(inner(a, a) * inner(b, b));
}

TEST(CentredKernel, HasLinearCkaAsItsCosine) {
  const Values a = gaussian(30, 5, 12);
  Values b = gaussian(30, 3, 13);
  for (std::size_t i = 0; i < 30; ++i) b[3 * i] += 2 * a[5 * i] + 4;
  EXPECT_NEAR(cosine(centred_kernel({a, 5}), centred_kernel({b, 3})), linear_cka({a, 5}, {b, 3}),
              1e-12);
}

TEST(CentredKernel, SumsToZeroForEachVector) {
  constexpr std::size_t kCount = 7;
  const Values a = gaussian(kCount, 3, 14), entries = centred_kernel({a, 3});
  ASSERT_EQ(entries.size(), kCount * (kCount - 1) / 2);
  Values sums(kCount);
  std::size_t next = 0;
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t j = 0; j < i; ++j, ++next)
      for (const std::size_t of : {i, j}) sums[of] += entries[next];
  for (const double sum : sums) EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(Cka, IsNotDefinedWithoutSpread) {
  const Values same(20, 1.0), a = gaussian(10, 2, 11);
  EXPECT_TRUE(std::isnan(linear_cka({same, 2}, {a, 2})));
  EXPECT_TRUE(std::isnan(linear_cka({std::span(a).first(6), 2}, {std::span(a).first(6), 2})));
}

TEST(PairCosines, AreOfNeighbours) {
  const Values vectors = {1, 0, 0, 2, 3, 3, 1, 1};
  const Values cosines = pair_cosines({vectors, 2});
  ASSERT_EQ(cosines.size(), 2u);
  EXPECT_NEAR(cosines[0], 0, 1e-12);
  EXPECT_NEAR(cosines[1], 1, 1e-12);
}

}  // namespace
}  // namespace ablate::probes
