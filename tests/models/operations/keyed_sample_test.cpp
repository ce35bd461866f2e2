// Samples are those of the distribution, and depend on what they are keyed by alone.

#include "models/operations/keyed_sample.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/base/rng.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kRowTime = 10;

at::Tensor sample_keys(std::int64_t step, std::int64_t first_row,
                       std::vector<std::uint64_t> seeds) {
  std::vector<std::int64_t> keys = {step, first_row};
  for (const std::uint64_t seed : seeds) keys.push_back(static_cast<std::int64_t>(seed));
  return at::tensor(keys);
}

/// All places of so many rows, in `lanes` lanes.
SampledPlaces sample_places(const at::Tensor& keys, std::int64_t lanes, std::int64_t rows) {
  return {keys, 0, at::arange(rows * kRowTime).expand({lanes, rows * kRowTime}), kRowTime};
}

TEST(KeyedSample, HasTheNoiseOfTheGenerator) {
  const std::uint64_t seeds[] = {3, 0xFFFFFFFFFFFFFFF0u};
  const SampledPlaces places = sample_places(sample_keys(7, 2, {seeds[0], seeds[1]}), 2, 1);
  const at::Tensor noise = gumbel_noise(places, 5);
  ASSERT_EQ(noise.sizes().vec(), (std::vector<std::int64_t>{2, kRowTime, 5}));
  for (std::int64_t lane = 0; lane < 2; ++lane)
    for (std::int64_t t = 0; t < kRowTime; ++t)
      for (std::int64_t k = 0; k < 5; ++k) {
        const Rng rng(seeds[lane], Stream::samples, 7,
                      static_cast<std::uint64_t>(2 * kRowTime + t));
        const auto bits = static_cast<double>(rng.peek(static_cast<std::uint64_t>(k)) >> 12);
        EXPECT_NEAR(noise[lane][t][k].item<double>(),
                    -std::log(-std::log(std::ldexp(bits + 0.5, -52))), 1e-12);
      }
}

TEST(KeyedSample, DrawsEachClassAsOftenAsItIsProbable) {
  const at::Tensor probabilities = at::tensor({0.5, 0.3, 0.15, 0.05});
  constexpr std::int64_t kRows = 2000, kDraws = kRows * kRowTime;
  const at::Tensor logits = probabilities.log().expand({1, kDraws, 4});
  const at::Tensor drawn = keyed_sample(logits, sample_places(sample_keys(0, 0, {5}), 1, kRows));
  for (std::int64_t k = 0; k < 4; ++k) {
    const double p = probabilities[k].item<double>();
    EXPECT_NEAR(drawn.eq(k).to(at::kDouble).mean().item<double>(), p,
                4 * std::sqrt(p * (1 - p) / kDraws));  // 4 sigmas
  }
}

TEST(KeyedSample, OfALaneAndOfPartsOfTheRowsIsThatOfTheWhole) {
  const at::Tensor whole = gumbel_noise(sample_places(sample_keys(4, 0, {5, 6, 7}), 3, 6), 9);
  for (std::int64_t lane = 0; lane < 3; ++lane) {
    const auto seed = static_cast<std::uint64_t>(5 + lane);
    const at::Tensor own = whole.narrow(0, lane, 1);
    EXPECT_TRUE(gumbel_noise(sample_places(sample_keys(4, 0, {seed}), 1, 6), 9).equal(own));
    SampledPlaces among = sample_places(sample_keys(4, 0, {5, 6, 7}), 1, 6);
    among.first = lane;
    EXPECT_TRUE(gumbel_noise(among, 9).equal(own));
    EXPECT_TRUE(gumbel_noise(sample_places(sample_keys(4, 2, {seed}), 1, 4), 9)
                    .equal(own.narrow(1, 2 * kRowTime, 4 * kRowTime)));
  }
}

TEST(KeyedSample, IsKeyedBySeedAndStep) {
  const auto noise = [](std::int64_t step, std::uint64_t seed) {
    return gumbel_noise(sample_places(sample_keys(step, 0, {seed}), 1, 2), 9);
  };
  EXPECT_TRUE(noise(1, 1).equal(noise(1, 1)));
  EXPECT_FALSE(noise(1, 1).eq(noise(2, 1)).any().item<bool>());
  EXPECT_FALSE(noise(1, 1).eq(noise(1, 2)).any().item<bool>());
}

}  // namespace
}  // namespace ablate::models
