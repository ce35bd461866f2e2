// The optimizer against its definition, computed in double precision.

#include "harness/train/optimizer/adamw.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/base/rng.h"
#include "tests/models/emulated_device.h"

namespace ablate::train {
namespace {

/// Parameters without a model: "matrix" [lane, 37, 11], decayed, and "norm" [lane, 5], not.
class Bare {
 public:
  explicit Bare(std::int64_t lanes) : lanes_(lanes) {
    add("matrix", {lanes, 37, 11}, true);
    add("norm", {lanes, 5}, false);
  }
  std::vector<Parameter>& parameters() { return parameters_; }
  std::int64_t lanes() const { return lanes_; }

 protected:
  void add(std::string name, std::vector<std::int64_t> sizes, bool decayed) {
    at::Tensor value = at::zeros(sizes);
    Rng rng = Rng(1).fork(name);
    for (std::int64_t i = 0; i < value[0].numel(); ++i)
      for (std::int64_t lane = 0; lane < lanes_; ++lane)
        value[lane].data_ptr<float>()[i] = static_cast<float>(rng.fork(lane).fork(i).normal());
    value.set_requires_grad(true);
    parameters_.push_back({std::move(name), value, 1, 0, decayed});
  }

 private:
  std::int64_t lanes_;
  std::vector<Parameter> parameters_;
};

/// Gives lane `lane` of every parameter a gradient that depends on (lane, step) alone.
void set_gradient(Bare& network, std::int64_t lane, std::uint64_t key, std::uint64_t step,
                  double size) {
  Rng rng(key, Stream::probes, step);
  for (Parameter& parameter : network.parameters()) {
    const at::Tensor gradient = parameter.value.grad().select(0, lane);
    for (std::int64_t i = 0; i < gradient.numel(); ++i)
      gradient.data_ptr<float>()[i] = static_cast<float>(size * rng.normal());
  }
}

/// All values of a lane, in the order of the parameters.
std::vector<float> values_of(Bare& network, std::int64_t lane) {
  std::vector<float> values;
  for (const Parameter& parameter : network.parameters()) {
    const at::Tensor part = parameter.value.detach().select(0, lane).contiguous();
    values.insert(values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
  }
  return values;
}

std::vector<double> gradient_of(Bare& network, std::int64_t lane) {
  std::vector<double> values;
  for (const Parameter& parameter : network.parameters()) {
    const at::Tensor part = parameter.value.grad().select(0, lane).contiguous();
    values.insert(values.end(), part.data_ptr<float>(), part.data_ptr<float>() + part.numel());
  }
  return values;
}

constexpr std::size_t kMatrix = 37 * 11;  // values before the norm's

/// Both ways of computing it: loops of our own, and the tensor operations that a GPU runs.
class EitherAdamW : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!GetParam() && at::hasCUDA()) GTEST_SKIP() << ablate::testing::no_emulated_device();
  }
};
INSTANTIATE_TEST_SUITE_P(FusedAndNot, EitherAdamW, ::testing::Bool());

TEST_P(EitherAdamW, IsItsDefinitionInEveryLane) {
  Bare network(2);
  FlatParameters parameters(network.parameters());
  const std::vector<AdamWSettings> lanes = {{.9, .98, 1e-8, .1, 0}, {.8, .9, 1e-3, .01, 1}};
  AdamW optimizer(parameters, lanes, GetParam());
  for (std::int64_t lane = 0; lane < 2; ++lane) {
    const auto start = values_of(network, lane);
    const auto before = values_of(network, 1 - lane);
    std::vector<double> value(start.begin(), start.end());
    std::vector<double> mean(value.size()), square(value.size());
    const AdamWSettings& own = lanes[static_cast<std::size_t>(lane)];
    for (std::int64_t step = 0; step < 5; ++step) {
      const double rate = 0.01 * static_cast<double>(step + 1);
      set_gradient(network, lane, 7, static_cast<std::uint64_t>(step), 0.3);
      std::vector<double> gradient = gradient_of(network, lane);
      double norm = 0;
      for (const double g : gradient) norm += g * g;
      norm = std::sqrt(norm);
      std::vector<double> rates = {-1, -1};
      rates[static_cast<std::size_t>(lane)] = rate;
      EXPECT_NEAR(optimizer.step(step, rates).data_ptr<double>()[lane], norm, 1e-6 * norm);
      for (std::size_t i = 0; i < value.size(); ++i) {
        double g = gradient[i];
        if (own.clip > 0 && norm > own.clip) g *= own.clip / norm;
        mean[i] = own.beta1 * mean[i] + (1 - own.beta1) * g;
        square[i] = own.beta2 * square[i] + (1 - own.beta2) * g * g;
        const double t = static_cast<double>(step + 1);
        const double m = mean[i] / (1 - std::pow(own.beta1, t));
        const double v = square[i] / (1 - std::pow(own.beta2, t));
        if (i < kMatrix) value[i] -= rate * own.weight_decay * value[i];
        value[i] -= rate * m / (std::sqrt(v) + own.epsilon);
      }
    }
    const auto made = values_of(network, lane);
    for (std::size_t i = 0; i < value.size(); ++i) EXPECT_NEAR(made[i], value[i], 2e-6) << i;
    EXPECT_EQ(values_of(network, 1 - lane), before) << "a lane without a learning rate has changed";
  }
}

TEST_P(EitherAdamW, LeavesNoValueAboveTheLimitOfItsParameter) {
  Bare network(2), free(2);
  network.parameters()[1].at_most = 0.5;
  for (Bare* const each : {&network, &free}) {
    FlatParameters parameters(each->parameters());
    AdamW optimizer(parameters, {AdamWSettings(), AdamWSettings()}, GetParam());
    for (std::int64_t lane = 0; lane < 2; ++lane) set_gradient(*each, lane, 7, 0, 0.3);
    optimizer.step(0, {0.01, 0.02});
  }
  const at::Tensor limited = network.parameters()[1].value.detach(),
                   unlimited = free.parameters()[1].value.detach();
  ASSERT_GT(unlimited.gt(0.5).sum().item<int>(), 0) << "there is something to limit";
  EXPECT_TRUE(limited.equal(unlimited.clamp_max(0.5)));
  EXPECT_TRUE(network.parameters()[0].value.equal(free.parameters()[0].value));
}

TEST_P(EitherAdamW, GoesAtTheRateOfEachParameter) {
  Bare network(2), plain(2);
  network.parameters()[1].rate = 2;
  std::vector<at::Tensor> before;
  for (const Parameter& parameter : plain.parameters())
    before.push_back(parameter.value.detach().clone());
  for (Bare* const each : {&network, &plain}) {
    FlatParameters parameters(each->parameters());
    AdamW optimizer(parameters, {AdamWSettings(), AdamWSettings()}, GetParam());
    for (std::int64_t lane = 0; lane < 2; ++lane) set_gradient(*each, lane, 7, 0, 0.3);
    optimizer.step(0, {0.01, 0.02});
  }
  const at::Tensor once = plain.parameters()[1].value.detach() - before[1],
                   twice = network.parameters()[1].value.detach() - before[1];
  ASSERT_GT(once.abs().min().item<double>(), 0);
  EXPECT_TRUE(twice.allclose(2 * once, 1e-4, 1e-7));
  EXPECT_TRUE(network.parameters()[0].value.equal(plain.parameters()[0].value));
}

TEST_P(EitherAdamW, ClipsEachLaneByItsOwnNorm) {
  // A first update is the sign of the gradient whatever its norm, so clipping shows in the moments.
  Bare network(3);
  FlatParameters parameters(network.parameters());
  AdamW optimizer(parameters, std::vector<AdamWSettings>(3, {.clip = 1}), GetParam());
  const double sizes[] = {1e-3, 1, 1e3};
  for (std::int64_t lane = 0; lane < 3; ++lane) set_gradient(network, lane, 1, 0, sizes[lane]);
  const at::Tensor norms = optimizer.step(0, {1, 1, 1});
  const at::Tensor kept = optimizer.mean().narrow(1, 0, kMatrix).norm(2, 1) / 0.1;
  const auto* norm = norms.data_ptr<double>();
  EXPECT_LT(norm[0], 1);
  EXPECT_NEAR(norm[2] / norm[1], 1e3, 1);
  EXPECT_LT(kept[0].item<float>(), norm[0] * (1 + 1e-5));
  EXPECT_NEAR(kept[1].item<float>(), kept[2].item<float>(), 1e-4);
  EXPECT_LT(kept[1].item<float>(), 1);
}

TEST_P(EitherAdamW, LeavesTheGradientAtZeroForTheNextBackward) {
  Bare network(2);
  FlatParameters parameters(network.parameters());
  AdamW optimizer(parameters, std::vector<AdamWSettings>(2), GetParam());
  set_gradient(network, 0, 1, 0, 1);
  set_gradient(network, 1, 1, 0, 1);
  optimizer.step(0, {0.1, -1});
  EXPECT_EQ(parameters.gradient().abs().max().item<float>(), 0);
}

TEST_P(EitherAdamW, DoesNotTouchALaneWhoseGradientIsNotFinite) {
  Bare network(2);
  FlatParameters parameters(network.parameters());
  AdamW optimizer(parameters, std::vector<AdamWSettings>(2), GetParam());
  const auto before = values_of(network, 0);
  const auto other = values_of(network, 1);
  set_gradient(network, 0, 1, 0, 1);
  set_gradient(network, 1, 1, 0, 1);
  network.parameters()[1].value.grad().data_ptr<float>()[2] =
      std::numeric_limits<float>::quiet_NaN();
  const at::Tensor norms = optimizer.step(0, {0.1, 0.1});
  EXPECT_FALSE(std::isfinite(norms.data_ptr<double>()[0]));
  EXPECT_EQ(values_of(network, 0), before);
  EXPECT_NE(values_of(network, 1), other);
  EXPECT_EQ(parameters.gradient().abs().max().item<float>(), 0);
}

TEST_P(EitherAdamW, MovesALaneAloneAsInABankBitByBit) {
  Bare bank(3);
  FlatParameters in_bank(bank.parameters());
  AdamW together(in_bank, std::vector<AdamWSettings>(3), GetParam());
  Bare single(1);
  FlatParameters alone(single.parameters());
  AdamW apart(alone, std::vector<AdamWSettings>(1), GetParam());
  for (std::size_t i = 0; i < 2; ++i)
    single.parameters()[i].value.detach().copy_(bank.parameters()[i].value.detach().slice(0, 1, 2));
  for (std::int64_t step = 0; step < 20; ++step) {
    for (std::int64_t lane = 0; lane < 3; ++lane)
      set_gradient(bank, lane, static_cast<std::uint64_t>(lane), static_cast<std::uint64_t>(step),
                   1);
    set_gradient(single, 0, 1, static_cast<std::uint64_t>(step), 1);
    together.step(step, {.1, .2, .3});
    apart.step(step, {.2});
  }
  EXPECT_EQ(values_of(bank, 1), values_of(single, 0));
}

TEST(FlatParameters, KeepsParametersLeavesWhoseGradientsItOwns) {
  Bare network(2);
  const auto before = values_of(network, 1);
  FlatParameters parameters(network.parameters());
  EXPECT_EQ(values_of(network, 1), before);
  EXPECT_EQ(parameters.lane_size(), 37 * 11 + 5);
  for (Parameter& parameter : network.parameters()) {
    EXPECT_TRUE(parameter.value.is_leaf() && parameter.value.requires_grad());
    EXPECT_EQ(parameter.value.stride(0), parameters.lane_size());
    EXPECT_TRUE(parameter.value.select(0, 1).is_contiguous());
    (parameter.value * 3).sum().backward();
    (parameter.value * 2).sum().backward();
  }
  EXPECT_EQ(parameters.gradient().min().item<float>(), 5)
      << "gradients do not add up in the buffer";
  EXPECT_EQ(parameters.gradient().max().item<float>(), 5);
}

TEST(FlatParameters, PlacesWhatDecaysFirstInEveryLane) {
  class Mixed final : public Bare {
   public:
    Mixed() : Bare(3) {
      add("bias", {3, 4}, false);
      add("last", {3, 2, 6}, true);
    }
  } network;
  const FlatParameters parameters(network.parameters());
  EXPECT_EQ(parameters.lane_size(), 37 * 11 + 5 + 4 + 12);
  EXPECT_EQ(parameters.decayed_size(), 37 * 11 + 12);
  std::vector<std::string> names;
  for (const FlatParameters::Piece& piece : parameters.pieces()) {
    names.push_back(piece.name);
    EXPECT_EQ(piece.first < parameters.decayed_size(), piece.decayed) << piece.name;
    const at::Tensor of_lane = parameters.values().select(0, 2).narrow(0, piece.first, piece.size);
    EXPECT_TRUE(
        of_lane.equal(network.parameters()[names.size() - 1].value.detach().select(0, 2).flatten()))
        << piece.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"matrix", "norm", "bias", "last"}))
      << "files name parameters in the network's order";
}

}  // namespace
}  // namespace ablate::train
