// Compares the kernels with float64, for every instruction set of this processor.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include "harness/base/rng.h"
#include "models/kernels/product/product.h"
#include "models/kernels/product/product_bfloat16.h"
#include "models/kernels/rows/activation.h"
#include "models/kernels/rows/cross_entropy.h"
#include "models/kernels/rows/rows.h"

namespace ablate::models::kernels {
namespace {

class Kernels : public ::testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    limit_instruction_set(GetParam());
    if (instruction_set() != GetParam())
      GTEST_SKIP() << "this processor has no " << name_of(GetParam());
  }
  void TearDown() override { limit_instruction_set(InstructionSet::avx512_bfloat16); }
};

std::vector<float> numbers(std::size_t count, double size = 1, std::uint64_t seed = 3) {
  Rng rng(seed);
  std::vector<float> made(count);
  for (float& number : made) number = static_cast<float>(size * rng.normal());
  return made;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// Tolerances are relative, also in the far tails. 8e-7 is a dozen float32 roundings; x * x / 2 adds
// an error in proportion to its size.
TEST_P(Kernels, GeluAndItsDerivativeAreAccurateToFloat32) {
  std::vector<float> x, out;
  for (double at = -9; at <= 9; at += 0.00137) x.push_back(static_cast<float>(at));
  const std::vector<float> given = x;
  out.resize(x.size());
  gelu(x.data(), out.data(), static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = given[i], probability = normal_distribution(at);
    const double tail_term = at * std::exp(-0.5 * at * at) / std::sqrt(2 * M_PI);
    const double tolerance = 8e-7 + 1e-7 * at * at;
    ASSERT_NEAR(out[i], at * probability, tolerance * std::abs(at * probability) + 1e-37) << at;
    ASSERT_NEAR(x[i], probability + tail_term,
                tolerance * (probability + std::abs(tail_term)) + 1e-37)
        << at;
  }
}

TEST_P(Kernels, GeluKeepsInfinitiesAndNan) {
  std::vector<float> x = {INFINITY, NAN, 1e30f, -1e30f}, out(4);
  gelu(x.data(), out.data(), 4);
  EXPECT_TRUE(std::isinf(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 1e30f);
  EXPECT_NEAR(out[3], 0, 1e-6);
}

TEST_P(Kernels, SwigluAndItsDerivativesAreAccurateToFloat32) {
  constexpr std::int64_t kRows = 7, kUnits = 37;
  std::vector<float> x = numbers(kRows * 2 * kUnits, 3), out(kRows * kUnits);
  const std::vector<float> given = x;
  swiglu(x.data(), out.data(), kRows, kUnits);
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t i = 0; i < kUnits; ++i) {
      const std::size_t at = row * 2 * kUnits + i;
      const double gate = given[at], value = given[at + kUnits], open = 1 / (1 + std::exp(-gate));
      EXPECT_NEAR(out[row * kUnits + i], gate * open * value, 1e-6 * std::abs(gate * value));
      EXPECT_NEAR(x[at], value * open * (1 + gate * (1 - open)),
                  2e-6 * (1 + std::abs(gate * value)));
      EXPECT_NEAR(x[at + kUnits], gate * open, 1e-6 * std::abs(gate));
    }
}

TEST_P(Kernels, ProductsAgreeInEveryShapeAndOrientation) {
  for (const auto& [rows, columns, terms] : std::vector<std::array<std::int64_t, 3>>{{1, 17, 1},
                                                                                     {7, 80, 130},
                                                                                     {12, 64, 64},
                                                                                     {5, 112, 300},
                                                                                     {9, 1, 5},
                                                                                     {401, 70, 515},
                                                                                     {8, 67, 200},
                                                                                     {7, 80, 0}}) {
    const auto count = static_cast<std::size_t>(rows * terms);
    const std::vector<float> left = numbers(count),
                             right = numbers(static_cast<std::size_t>(terms * columns));
    std::vector<float> across(count), result(static_cast<std::size_t>(rows * columns), NAN);
    transpose(left.data(), across.data(), rows, terms);
    for (const Left& factor : {Left{left.data(), terms, 1}, Left{across.data(), 1, rows}}) {
      product({rows, columns, terms}, factor, {right.data(), columns}, {result.data(), columns});
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) {
          double sum = 0;
          for (std::int64_t k = 0; k < terms; ++k)
            sum += static_cast<double>(left[static_cast<std::size_t>(row * terms + k)]) *
                   static_cast<double>(right[static_cast<std::size_t>(k * columns + column)]);
          ASSERT_NEAR(result[static_cast<std::size_t>(row * columns + column)], sum,
                      2e-7 * static_cast<double>(terms) + 1e-6);
        }
    }
  }
}

// Sums of the rounded factors are exact to float32; the result is rounded once.
TEST_P(Kernels, ProductsOfBfloat16AreRoundedOnce) {
  if (!has_bfloat16_products()) GTEST_SKIP() << "this processor's products are the library's";
  for (const auto& [rows, out, in] :
       std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>{
           {1, 2, 2}, {7, 18, 6}, {13, 80, 64}, {600, 34, 70}, {64, 192, 64}}) {
    const auto factor = [&](std::int64_t count, std::uint64_t seed) {
      const std::vector<float> made = numbers(static_cast<std::size_t>(count), 1, seed);
      std::vector<BFloat16> rounded(made.size());
      const std::int64_t first = 0;
      gather_rows(made.data(), &first, 1, count, rounded.data());
      return rounded;
    };
    const auto value = [](BFloat16 x) {
      const auto bits = static_cast<std::uint32_t>(x) << 16;
      float made = 0;
      std::memcpy(&made, &bits, sizeof made);
      return static_cast<double>(made);
    };
    const std::vector<BFloat16> x = factor(rows * in, 1), weight = factor(out * in, 2),
                                g = factor(rows * out, 3);
    const auto at = [](const std::vector<BFloat16>& v, std::int64_t i) {
      return v[static_cast<std::size_t>(i)];
    };
    std::vector<BFloat16> forward(g.size()), backward(x.size());
    std::vector<float> gradient(weight.size(), 7);
    times_transposed(x.data(), weight.data(), forward.data(), rows, out, in);
    times(g.data(), weight.data(), backward.data(), rows, out, in);
    transposed_times(g.data(), x.data(), gradient.data(), rows, out, in);
    const auto check = [&](double made, std::int64_t terms, double tolerance, const auto& term) {
      double sum = 0, size = 0;
      for (std::int64_t k = 0; k < terms; ++k) sum += term(k), size += std::abs(term(k));
      ASSERT_NEAR(made, sum, tolerance * std::abs(sum) + 1e-6 * size) << rows << out << in;
    };
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t o = 0; o < out; ++o)
        check(value(at(forward, r * out + o)), in, 1.0 / 256, [&](std::int64_t k) {
          return value(at(x, r * in + k)) * value(at(weight, o * in + k));
        });
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t i = 0; i < in; ++i)
        check(value(at(backward, r * in + i)), out, 1.0 / 256, [&](std::int64_t k) {
          return value(at(g, r * out + k)) * value(at(weight, k * in + i));
        });
    for (std::int64_t o = 0; o < out; ++o)
      for (std::int64_t i = 0; i < in; ++i)
        check(gradient[static_cast<std::size_t>(o * in + i)], rows, 0,
              [&](std::int64_t k) { return value(at(g, k * out + o)) * value(at(x, k * in + i)); });
  }
}

TEST_P(Kernels, CrossEntropyAndItsGradientAreAccurateToFloat32) {
  for (const std::int64_t classes : {1, 5, 32, 83}) {
    constexpr std::int64_t kRows = 6;
    constexpr float kScale = 0.25f;
    std::vector<float> x = numbers(static_cast<std::size_t>(kRows * classes), 20);
    const std::vector<float> given = x;
    std::vector<std::int64_t> targets;
    std::vector<float> weights = {1, 0, 2, 0.5f, 1, 1};
    for (std::int64_t row = 0; row < kRows; ++row) targets.push_back(row * 31 % classes);
    const double cost =
        cross_entropy({kRows, classes, kScale}, x.data(), targets.data(), weights.data());
    double expected = 0;
    for (std::int64_t row = 0; row < kRows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      const float* at = given.data() + row * classes;
      double total = 0;
      for (std::int64_t i = 0; i < classes; ++i)
        total += std::exp(kScale * static_cast<double>(at[i]));
      expected += weights[r] * (std::log(total) - kScale * static_cast<double>(at[targets[r]]));
      for (std::int64_t i = 0; i < classes; ++i) {
        const double probability = std::exp(kScale * static_cast<double>(at[i])) / total;
        EXPECT_NEAR(x[static_cast<std::size_t>(row * classes + i)],
                    weights[r] * kScale * (probability - (i == targets[r] ? 1 : 0)), 1e-6);
      }
    }
    EXPECT_NEAR(cost, expected, 1e-5 * (1 + expected)) << classes;
  }
}

TEST_P(Kernels, RowsGoOutAndComeBackAddedUp) {
  const std::vector<float> table = numbers(5 * 19);
  const std::vector<std::int64_t> at = {4, 0, 4};
  std::vector<float> rows(3 * 19), sums(5 * 19);
  gather_rows(table.data(), at.data(), 3, 19, rows.data());
  scatter_rows(rows.data(), at.data(), 3, 19, 0.5f, sums.data());
  for (std::size_t i = 0; i < 19; ++i) {
    EXPECT_EQ(sums[i], 0.5f * table[i]);
    EXPECT_EQ(sums[19 + i], 0);
    EXPECT_EQ(sums[4 * 19 + i], table[4 * 19 + i]);
  }
}

TEST_P(Kernels, KeepEveryNanInBfloat16) {
  for (const std::uint32_t bits : {0x7FFFFFFFu, 0xFFFFFFFFu, 0x7F800001u, 0x7FC00000u}) {
    std::vector<float> x(1);
    std::memcpy(x.data(), &bits, sizeof bits);
    const std::int64_t first = 0;
    std::vector<BFloat16> rounded(1);
    gather_rows(x.data(), &first, 1, 1, rounded.data());
    std::vector<float> back(1);
    scatter_rows(rounded.data(), &first, 1, 1, 1, back.data());
    EXPECT_TRUE(std::isnan(back[0])) << std::hex << bits;
  }
}

TEST_P(Kernels, RoundToBfloat16AsTheProcessorsDo) {
  const std::vector<float> table = {1,     1.00390625f, 1.01171875f, -3.1415927f,
                                    65280, NAN,         0,           1e-40f};
  const std::vector<float> closest_match = {1,     1,   1.015625f, -3.140625f,
                                            65280, NAN, 0,         9.1835e-41f};
  const std::int64_t first = 0;
  std::vector<BFloat16> rounded(8);
  gather_rows(table.data(), &first, 1, 8, rounded.data());
  std::vector<float> back(8);
  scatter_rows(rounded.data(), &first, 1, 8, 1, back.data());
  EXPECT_TRUE(back[7] == 0 || instruction_set() != InstructionSet::avx512_bfloat16)
      << "its instruction keeps no denormals";
  for (std::size_t i = 0; i < (back[7] == 0 ? 7u : 8u); ++i)
    if (std::isnan(closest_match[i]))
      EXPECT_TRUE(std::isnan(back[i]));
    else
      EXPECT_NEAR(back[i], closest_match[i], 1e-4 * std::abs(closest_match[i]) + 1e-42) << table[i];
}

INSTANTIATE_TEST_SUITE_P(Levels, Kernels,
                         ::testing::Values(InstructionSet::any, InstructionSet::avx2,
                                           InstructionSet::avx512, InstructionSet::avx512_bfloat16),
                         [](const auto& with) { return std::string(name_of(with.param)); });

}  // namespace
}  // namespace ablate::models::kernels
