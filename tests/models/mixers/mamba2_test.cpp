// Mamba-2 against a recurrence in double precision that shares no code with it.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/operations/scan/state_space.h"
#include "tests/models/bank.h"
#include "tests/models/mixers/scan_in_chunks.h"

namespace ablate::models {
namespace {

using testing::wave;

TEST(Mamba2, IsTheRecurrenceOfTheVectorsForwardAndBackward) {
  testing::expect_vectors("mamba2", "gate_norm");
}

TEST(Mamba2, StartsWithTheRatesAndStepsOfItsCode) {
  Shape shape;
  shape.width = 256;
  Parameters parameters(1, at::kCPU, false);
  const auto mixer = build_mixer(testing::mixer_named("mamba2"), {parameters, shape, ""});
  std::size_t checked = 0;
  for (train::Parameter& parameter : parameters.all()) {
    if (!parameter.distribution) continue;
    Rng rng(1);
    std::vector<float> drawn(4000);
    parameter.distribution(rng, drawn);
    double least = 1e9, most = -1e9, sum = 0;
    for (double value : drawn) {
      if (parameter.name == "rate") value = std::exp(value);  // uniform over [1, 16)
      if (parameter.name == "step")
        value = std::log(std::log1p(std::exp(value)));  // of a log-uniform
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value / 4000;
    }
    const double low = parameter.name == "rate"   ? 1
                       : parameter.name == "step" ? std::log(.001)
                                                  : -.5;
    const double high = parameter.name == "rate"   ? 16
                        : parameter.name == "step" ? std::log(.1)
                                                   : .5;
    EXPECT_GE(least, low - 1e-6) << parameter.name;
    EXPECT_LT(most, high + 1e-6) << parameter.name;
    EXPECT_NEAR(least, low, .003 * (high - low)) << parameter.name;
    EXPECT_NEAR(most, high, .003 * (high - low)) << parameter.name;
    EXPECT_NEAR(sum, (low + high) / 2, .02 * (high - low)) << parameter.name;
    EXPECT_EQ(parameter.decayed, parameter.name == "convolution") << parameter.name;
    ++checked;
  }
  EXPECT_EQ(checked, 4u);
}

TEST(Mamba2, DrawsItsInitialValuesByTheirLawsFromTheLanesSeed) {
  Json model = testing::tiny();
  model["layers"] = {"mamba2"};
  const auto network = testing::bank(testing::settings(model, 2), {1, 2});
  for (const train::Parameter& parameter : network->parameters()) {
    if (parameter.name != "block.0.rate") continue;
    const at::Tensor rates = parameter.value.detach().exp();
    EXPECT_TRUE((rates >= 1).all().item<bool>());
    EXPECT_TRUE((rates < 16).all().item<bool>());
    EXPECT_FALSE(rates[0].equal(rates[1])) << "each lane by its own seed";
    return;
  }
  FAIL() << "no parameter block.0.rate";
}

TEST(StateSpaceScan, GivesInChunksWhatItGivesInOne) {
  const auto rows = [](std::int64_t first, std::int64_t count) {
    const testing::RowsOfDocuments all;
    return StateSpaceRows{all.by_head(.1, 3, first, count),
                          all.part(.2, 2, first, count).abs(),
                          -wave(.5, {1, 2}, 2).abs(),
                          wave(.6, {1, 2}, 1),
                          all.part(.3, 4, first, count),
                          all.part(.4, 4, first, count),
                          all.from(first, count)};
  };
  testing::expect_chunks_are_steps(rows, state_space_scan);
}

TEST(Mamba2, AResetThatForgetsTheConvolutionIsCaught) {
  // The trap: the state is reset at documents, and the convolution still reads across.
  const at::Tensor channels = wave(.1, {1, 1, 8, 2}, 1), weight = wave(.2, {1, 2, 4}, 1);
  const ShortConvolution convolution = {weight, at::zeros({1, 2}, at::kDouble)};
  at::Tensor from = at::zeros({1, 1, 8}, at::kLong);
  const at::Tensor across = convolved(channels, convolution, from, {});
  from.narrow(2, 4, 4).fill_(4);
  const at::Tensor apart = convolved(channels, convolution, from, {});
  const at::Tensor alone =
      convolved(channels.narrow(2, 4, 4), convolution, at::zeros({1, 1, 4}, at::kLong), {});
  EXPECT_TRUE(apart.narrow(2, 4, 4).equal(alone));
  EXPECT_TRUE(apart.narrow(2, 0, 4).equal(across.narrow(2, 0, 4)));
  EXPECT_FALSE(across.narrow(2, 4, 3).allclose(alone.narrow(2, 0, 3)));
  EXPECT_TRUE(across.narrow(2, 7, 1).allclose(alone.narrow(2, 3, 1)));
}

}  // namespace
}  // namespace ablate::models
