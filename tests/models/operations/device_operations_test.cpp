// Our own device kernels against the plain operations. Where LibTorch has no CUDA the kernels run
// on the processor, thread by thread; on a device tests/gpu compares complete banks.

#include "models/operations/device/device_operations.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "models/operations/device/dropout.h"
#include "models/operations/plain_operations.h"
#include "tests/models/emulated_device.h"

namespace ablate::models {
namespace {

constexpr std::int64_t kDeviceLanes = 2, kDeviceBatch = 3, kDeviceTime = 7, kLossWidth = 40;

// Widths and classes are no multiple of a warp's threads; values have no pattern that a warp shares.
at::Tensor values(std::vector<std::int64_t> sizes, double step, at::ScalarType type = at::kFloat) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return at::arange(count, at::kDouble).mul(step).sin().view(sizes).to(type);
}

double difference(const at::Tensor& found, const at::Tensor& expected) {
  const at::Tensor exact = expected.to(at::kDouble);
  return ((found.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

using DeviceOperationsTest = ::ablate::testing::EmulatedDevice;

// Outputs of add_norm and gradients of all its inputs.
std::vector<at::Tensor> norms(const Operations& operations, Norm kind, bool adds, bool reads_sum,
                              at::ScalarType type, std::int64_t width) {
  const std::vector<std::int64_t> sizes = {kDeviceLanes, kDeviceBatch, kDeviceTime, width};
  const at::Tensor residual = values(sizes, .37).requires_grad_(true);
  at::Tensor delta;
  if (adds) delta = values(sizes, .73).to(type).requires_grad_(true);
  // As a view of a lane's parameters: the lanes are apart.
  const at::Tensor all = (values({kDeviceLanes, 2 * width}, .11) + 1).requires_grad_(true);
  const Normed made =
      operations.add_norm(residual, delta, all.narrow(1, width / 2, width), kind, type);
  at::Tensor cost = (made.normed * values(made.normed.sizes().vec(), .59)).sum();
  if (reads_sum) cost = cost + (made.sum * values(made.sum.sizes().vec(), .91)).sum();
  cost.backward();
  std::vector<at::Tensor> found = {made.sum.detach(), made.normed.detach(), residual.grad(),
                                   all.grad()};
  if (adds) found.push_back(delta.grad());
  return found;
}

TEST_F(DeviceOperationsTest, NormAndItsGradientsAreThePlainOnes) {
  for (const auto& [type, tolerance] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 2e-2}})
    for (const Norm kind : {Norm::layer, Norm::rms})
      for (const bool adds : {false, true})
        for (const bool reads_sum : {false, true})
          for (const std::int64_t width : {40, 70, 300, 600}) {
            const auto expected =
                norms(*plain_operations(true), kind, adds, reads_sum, type, width);
            const auto found = norms(*device_operations(), kind, adds, reads_sum, type, width);
            ASSERT_EQ(found.size(), expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
              EXPECT_EQ(found[i].scalar_type(), expected[i].scalar_type()) << i;
              EXPECT_LT(difference(found[i], expected[i]), tolerance) << i << ' ' << type << width;
            }
          }
}

// Targets at every second position, of which some repeat and one has no weight: padding.
std::vector<train::LaneTargets> targets(std::int64_t classes) {
  std::vector<train::LaneTargets> made;
  for (std::int64_t lane = 0; lane < kDeviceLanes; ++lane) {
    const at::Tensor positions = at::arange(0, kDeviceBatch * kDeviceTime, 2, at::kLong);
    positions[-1].copy_(positions[0]);
    const at::Tensor weights = values({positions.numel()}, lane == 0 ? .3 : .4).abs();
    weights[-1].zero_();
    made.push_back({positions, positions.mul(7).add(lane).remainder(classes), weights});
  }
  return made;
}

std::vector<at::Tensor> losses(const Operations& operations, at::ScalarType type,
                               std::int64_t classes) {
  const at::Tensor hidden =
      values({kDeviceLanes, kDeviceBatch, kDeviceTime, kLossWidth}, .37).requires_grad_(true);
  const at::Tensor table = values({kDeviceLanes, classes, kLossWidth}, .21).requires_grad_(true);
  const at::Tensor found = operations.losses(hidden, {table, .7, type}, targets(classes));
  found.backward(values({kDeviceLanes}, 2.1));
  return {found.detach(), hidden.grad(), table.grad()};
}

// Many classes' gradients cancel, which bfloat16 rounds: as far from float32 as the plain ones are.
TEST_F(DeviceOperationsTest, LossesAndTheirGradientsAreThePlainOnesInPartsOfAnySize) {
  for (const auto& [type, least] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 1e-3}})
    for (const std::int64_t classes : {75, 400, 1100}) {
      const auto exact = losses(*plain_operations(true), at::kFloat, classes);
      const auto plain = losses(*plain_operations(true), type, classes);
      const std::int64_t row = kDeviceLanes * classes * at::elementSize(type);
      for (const std::int64_t part_bytes : {std::int64_t{1}, 4 * row, 1000 * row}) {
        const auto found = losses(*device_operations(part_bytes), type, classes);
        for (std::size_t i = 0; i < found.size(); ++i)
          EXPECT_LT(difference(found[i], exact[i]), 1.5 * difference(plain[i], exact[i]) + least)
              << i << ' ' << type << classes << ' ' << part_bytes;
      }
    }
}

TEST_F(DeviceOperationsTest, LossesNeedNoGradient) {
  const at::NoGradGuard no_gradient;
  const at::Tensor hidden = values({kDeviceLanes, kDeviceBatch, kDeviceTime, kLossWidth}, .37);
  const OutputHead head = {values({kDeviceLanes, 75, kLossWidth}, .21), 1.0, at::kFloat};
  EXPECT_LT(difference(device_operations(1)->losses(hidden, head, targets(75)),
                       plain_operations(true)->losses(hidden, head, targets(75))),
            1e-5);
}

TEST_F(DeviceOperationsTest, DropoutDropsTheUnitsThatTheProcessorDrops) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
    for (const std::int64_t units : {1, 2, 333})
      for (const std::int64_t first : {0, 1, 2}) {
        const std::string where = fmt::format("{} {} {}", toString(type), units, first);
        DropoutKey key = {.dropped = .3, .seeds = {4, ~std::uint64_t{0}}, .step = 7, .layer = 2};
        key.first_row = first;
        key.keys = at::tensor(at::ArrayRef<std::int64_t>({7, first, 4, -1}), at::kLong);
        const at::Tensor x = values({kDeviceLanes, 2, units}, .37, type).requires_grad_(true);
        const at::Tensor found = device::drop(x, key);
        EXPECT_TRUE(found.equal(drop(x, key))) << where;
        const at::Tensor of_found = values({kDeviceLanes, 2, units}, .91, type);
        found.backward(of_found);
        EXPECT_TRUE(x.grad().equal(drop(of_found, key))) << where;
      }
}

}  // namespace
}  // namespace ablate::models
