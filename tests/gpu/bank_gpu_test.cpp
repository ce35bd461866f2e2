// A bank on a CUDA device against the processor, and against its lanes alone. Skipped where
// LibTorch has no device.

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include "tests/models/bank.h"

namespace ablate {

namespace testing = models::testing;
namespace {

using testing::Seen;

const std::string kDevice = "cuda:0";

class GpuBank : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "this LibTorch sees no CUDA device";
  }
};

train::Inputs on_device(train::Inputs inputs) {
  for (at::Tensor* tensor :
       {&inputs.tokens, &inputs.positions, &inputs.visible_from, &inputs.visible_until})
    *tensor = tensor->to(at::Device(kDevice));
  return inputs;
}

std::vector<train::LaneTargets> on_device(std::vector<train::LaneTargets> targets) {
  for (train::LaneTargets& lane : targets)
    for (at::Tensor* tensor : {&lane.positions, &lane.targets, &lane.weights})
      *tensor = tensor->to(at::Device(kDevice));
  return targets;
}

/// Losses per lane after `steps` of plain descent, on the CPU: float32 [lane].
at::Tensor descend(train::Network& network, const train::Inputs& inputs,
                   const std::vector<train::LaneTargets>& targets, int steps) {
  for (int step = 0; step < steps; ++step) {
    network.losses(network.hidden(inputs), targets).sum().backward();
    const at::NoGradGuard no_gradient;
    for (train::Parameter& parameter : network.parameters()) {
      parameter.value.sub_(parameter.value.grad(), 1e-3);
      parameter.value.grad().zero_();
    }
    network.parameters_changed();
  }
  const at::NoGradGuard no_gradient;
  return network.losses(network.hidden(inputs), targets).cpu();
}

TEST_F(GpuBank, TrainsAsTheProcessorDoes) {
  for (const Seen seen : {Seen::causal, Seen::bidirectional, Seen::documents, Seen::anything}) {
    const train::Inputs inputs = testing::inputs(seen, 4, 3, 12);
    const auto targets = testing::targets(inputs, 1);
    const auto on_cpu = testing::bank(testing::settings(testing::tiny(), 4));
    train::NetworkSettings settings = testing::settings(testing::tiny(), 4);
    settings.device = kDevice;
    const auto on_gpu = testing::bank(settings);
    const at::Tensor expected = descend(*on_cpu, inputs, targets, 20);
    const at::Tensor found = descend(*on_gpu, on_device(inputs), on_device(targets), 20);
    EXPECT_LT(((found - expected) / expected).abs().max().item<double>(), 1e-3);
  }
}

TEST_F(GpuBank, TrainsALaneAsItWouldAlone) {
  constexpr std::int64_t kLanes = 8;
  const train::Inputs inputs = testing::inputs(Seen::anything, kLanes, 3, 12);
  const auto targets = testing::targets(inputs, 1);
  train::NetworkSettings settings = testing::settings(testing::tiny(), kLanes);
  settings.device = kDevice;
  const auto bank = testing::bank(settings);
  const at::Tensor together = descend(*bank, on_device(inputs), on_device(targets), 50);
  settings.lanes = 1;
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    const auto alone = testing::bank(settings, {static_cast<std::uint64_t>(lane + 1)});
    const at::Tensor loss = descend(*alone, on_device(testing::lane_of(inputs, lane)),
                                    on_device({targets[static_cast<std::size_t>(lane)]}), 50);
    const double expected = loss[0].item<double>();
    EXPECT_NEAR(together[lane].item<double>(), expected, 1e-3 * expected) << "lane " << lane;
  }
}

}  // namespace
}  // namespace ablate
