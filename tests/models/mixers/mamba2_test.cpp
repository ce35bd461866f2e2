// Mamba-2 against a recurrence in double precision that shares no code with it.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/kernels/simd/simd.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "models/operations/scan/state_space.h"
#include "tests/models/bank.h"
#include "tests/models/mixers/mixer_vectors.h"

namespace ablate::models {
namespace {

using testing::wave;

Json mamba2_vectors() { return testing::mixer_vectors("mamba2"); }

double relative_distance(const at::Tensor& found, const at::Tensor& expected) {
  return ((found - expected).norm() / (1e-6 + expected.norm())).item<double>();
}

/// The mixer of the vectors, with their weights.
struct Mamba2OfVectors : testing::MixerOfVectors {
  explicit Mamba2OfVectors(const Json& family) : MixerOfVectors("mamba2", family, "gate_norm") {}
};

TEST(Mamba2, IsTheRecurrenceOfTheVectorsForwardAndBackward) {
  testing::expect_vectors("mamba2", "gate_norm");
}

/// Each instruction set that this processor has, which is the one at hand in the test's body.
class Mamba2Kernels : public ::testing::TestWithParam<kernels::InstructionSet> {
 protected:
  void SetUp() override {
    kernels::limit_instruction_set(GetParam());
    if (kernels::instruction_set() != GetParam()) GTEST_SKIP() << "this processor has none";
  }
  void TearDown() override {
    kernels::limit_instruction_set(kernels::InstructionSet::avx512_bfloat16);
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, Mamba2Kernels,
                         ::testing::Values(kernels::InstructionSet::any,
                                           kernels::InstructionSet::avx2,
                                           kernels::InstructionSet::avx512,
                                           kernels::InstructionSet::avx512_bfloat16));

TEST_P(Mamba2Kernels, HaveTheGradientsOfPlainOperations) {
  // Two parts of 64 positions and some more, with documents across their borders and padding at the end.
  constexpr std::int64_t kTime = 150;
  const Json family = mamba2_vectors();
  const std::int64_t width = family.at("width");
  for (const bool both_ways : {false, true}) {
    train::Inputs inputs;
    inputs.visible_from = at::zeros({1, 2, kTime}, at::kLong);
    inputs.visible_until = at::arange(1, kTime + 1, at::kLong).expand({1, 2, kTime}).clone();
    const std::vector<std::int64_t> begins = {0, 3, 60, 64, 71, 147};
    for (std::size_t d = 0; d + 1 < begins.size(); ++d) {
      const std::int64_t size = begins[d + 1] - begins[d];
      inputs.visible_from.narrow(2, begins[d], size).fill_(begins[d]);
      if (both_ways) inputs.visible_until.narrow(2, begins[d], size).fill_(begins[d + 1]);
    }
    inputs.visible_from.narrow(2, 147, 3).fill_(0);
    inputs.visible_until.narrow(2, 147, 3).fill_(0);
    std::vector<at::Tensor> found[2];
    for (const bool fused : {false, true}) {
      Mamba2OfVectors own(family);
      const auto operations = fused ? fused_operations() : plain_operations(false);
      Pass pass = {
          *operations, inputs, {{}, inputs.visible_from, inputs.visible_until}, at::kFloat};
      const at::Tensor normed =
          wave(0.5, {1, 2, kTime, width}, 1).to(at::kFloat).requires_grad_(true);
      const at::Tensor mixed = own.mixer->mixed(pass, normed);
      (mixed * wave(0.2, {1, 2, kTime, width}, 1).to(at::kFloat)).sum().backward();
      found[fused] = {mixed.detach(), normed.grad()};
      for (const train::Parameter& parameter : own.parameters.all())
        found[fused].push_back(parameter.value.grad());
    }
    for (std::size_t i = 0; i < found[0].size(); ++i)
      EXPECT_LT(relative_distance(found[1][i], found[0][i]), 2e-5) << i << both_ways;
  }
}

TEST(Mamba2, StartsWithTheRatesAndStepsOfItsCode) {
  Shape shape;
  shape.width = 256;
  Parameters parameters(1, at::kCPU, false);
  const auto mixer = build_mixer(testing::mixer_named("mamba2"), {parameters, shape, ""});
  std::size_t checked = 0;
  for (train::Parameter& parameter : parameters.all()) {
    if (parameter.law == nullptr) continue;
    Rng rng(1);
    double least = 1e9, most = -1e9, sum = 0;
    for (int i = 0; i < 4000; ++i) {
      double value = parameter.law(rng);
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
    EXPECT_GE(least, low - 1e-9) << parameter.name;
    EXPECT_LT(most, high + 1e-9) << parameter.name;
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
  // 150 positions in three chunks, with documents that cross their borders, against steps of one.
  constexpr std::int64_t kTime = 150;
  const auto rows = [](std::int64_t first, std::int64_t count, const at::Tensor& from) {
    const auto part = [&](double start, std::int64_t size) {
      return wave(start, {1, 2, kTime, size}, 1).narrow(2, first, count);
    };
    return StateSpaceRows{part(.1, 6).unflatten(-1, {2, 3}), -part(.2, 2).abs(), part(.3, 4),
                          part(.4, 4), from.narrow(2, first, count) - first};
  };
  at::Tensor from = at::zeros({1, 2, kTime}, at::kLong);
  for (const std::int64_t begin : {3, 64, 71, 80, 130})
    from.narrow(2, begin, kTime - begin).fill_(begin);
  at::Tensor state, stepped;
  const at::Tensor all = state_space_scan(rows(0, kTime, from), state);
  for (std::int64_t t = 0; t < kTime; ++t)
    EXPECT_TRUE(
        state_space_scan(rows(t, 1, from), stepped).allclose(all.narrow(2, t, 1), 1e-9, 1e-12))
        << t;
  EXPECT_TRUE(state.allclose(stepped, 1e-9, 1e-12));
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
