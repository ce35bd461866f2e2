// Dropout preserves means and drops the requested fraction.

#include "models/operations/dropout.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ablate::models {
namespace {

TEST(Dropout, KeepsTheMeanAndDropsTheFraction) {
  const at::Tensor ones = at::ones({1, 50, 20, 100});
  for (const double dropped : {0.1, 0.5, 0.9}) {
    const at::Tensor x = drop(ones, {.dropped = dropped, .seeds = {4}});
    const double deviation = std::sqrt(dropped * (1 - dropped) / 1e5);
    EXPECT_NEAR(x.eq(0).to(at::kDouble).mean().item<double>(), dropped, 4 * deviation);  // 4 sigmas
    EXPECT_NEAR(x.mean().item<double>(), 1, 4 * deviation / (1 - dropped));
  }
}

TEST(Dropout, ScalesBfloat16AsItScalesFloat32) {
  const DropoutKey key = {.dropped = 0.1, .seeds = {4}};
  const at::Tensor x = at::arange(1, 2001, at::kFloat).view({1, 2000});
  const at::Tensor rounded = x.to(at::kBFloat16);
  const at::Tensor expected = drop(rounded.to(at::kFloat), key).to(at::kBFloat16);
  EXPECT_TRUE(drop(rounded, key).equal(expected));
}

TEST(Dropout, OfNothingIsTheSameTensor) {
  const at::Tensor ones = at::ones({1, 2, 3});
  EXPECT_TRUE(drop(ones, {}).is_same(ones));
}

// Rows of 3 units: the second part of the rows begins within a pair of units that share a number.
TEST(Dropout, OfPartsOfTheRowsIsThatOfTheWhole) {
  const at::Tensor ones = at::ones({2, 7, 1, 3});
  DropoutKey key = {.dropped = 0.5, .seeds = {4, 5}, .step = 7, .layer = 2};
  const at::Tensor whole = drop(ones, key);
  for (const std::int64_t first : {1, 2, 3, 6}) {
    key.first_row = first;
    EXPECT_TRUE(
        drop(ones.narrow(1, first, 7 - first), key).equal(whole.narrow(1, first, 7 - first)))
        << first;
  }
}

TEST(Dropout, IsKeyedBySeedStepAndLayer) {
  const at::Tensor ones = at::ones({1, 1000});
  const DropoutKey key = {.dropped = 0.5, .seeds = {4}, .step = 7, .layer = 2};
  DropoutKey seed = key, step = key, layer = key;
  seed.seeds = {5};
  step.step = 8;
  layer.layer = 3;
  EXPECT_TRUE(drop(ones, key).equal(drop(ones, key)));
  for (const DropoutKey& other : {seed, step, layer}) {
    // Independent masks agree on half of the units, within 4 sigmas.
    const double agreement =
        drop(ones, key).eq(drop(ones, other)).to(at::kDouble).mean().item<double>();
    EXPECT_NEAR(agreement, 0.5, 4 * 0.5 / std::sqrt(1000));
  }
}

}  // namespace
}  // namespace ablate::models
