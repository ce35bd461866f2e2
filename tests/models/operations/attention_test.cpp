// Compares LibTorch's attention with the written-out one for every pattern of visibility. Skipped
// with LibTorch before 2.1, which has no fused attention.

#include "models/operations/attention.h"

#include <gtest/gtest.h>

#include "models/operations/plain_operations.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kLanes = 2, kBatch = 3, kTime = 11, kHeads = 2, kHeadWidth = 8;

struct Attended {
  at::Tensor out, gradient;  // float64
};

at::Tensor activations(at::ScalarType type) {
  const std::int64_t width = 3 * kHeads * kHeadWidth;
  return at::arange(kLanes * kBatch * kTime * width, at::kDouble)
      .mul(0.37)
      .sin()
      .view({kLanes, kBatch, kTime, width})
      .to(type);
}

AttentionMask mask_of(const train::Inputs& inputs, train::Visibility visibility, bool rotary) {
  AttentionMask mask = {inputs.positions, inputs.visible_from, inputs.visible_until};
  mask.heads = kHeads;
  mask.visibility = visibility;
  if (rotary) {
    const at::Tensor angles = at::arange(kTime, at::kFloat).unsqueeze(1).expand({-1, kHeadWidth});
    mask.rotary = at::stack({angles.cos(), angles.sin()}, 1);
  }
  return mask;
}

Attended attend(const Operations& operations, const AttentionMask& mask, at::ScalarType type) {
  const at::Tensor qkv = activations(type).requires_grad_(true);
  const at::Tensor out = operations.attention(qkv, operations.prepared(mask, type));
  const at::Tensor weights = at::arange(out.numel(), at::kDouble).cos().view(out.sizes()).to(type);
  (out * weights).sum().backward();
  return {out.detach().to(at::kDouble), qkv.grad().to(at::kDouble)};
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

class LibraryAttention : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_library_attention()) GTEST_SKIP() << "LibTorch before 2.1 has no such operation";
  }

  void expect_alike(const AttentionMask& mask) const {
    const Attended exact = attend(*plain_operations(true), mask, at::kDouble);
    for (const auto& [type, tolerance] :
         {std::pair{at::kDouble, 1e-12}, {at::kFloat, 1e-5}, {at::kBFloat16, 3e-2}}) {
      const Attended found = attend(*plain_operations(true, true), mask, type);
      EXPECT_LT(distance(found.out, exact.out), tolerance) << type;
      EXPECT_LT(distance(found.gradient, exact.gradient), tolerance) << type;
    }
  }
};

TEST_F(LibraryAttention, IsTheWrittenOutOneUnderEveryPattern) {
  for (const bool rotary : {false, true})
    for (const Seen seen :
         {Seen::causal, Seen::bidirectional, Seen::documents, Seen::prefix, Seen::anything})
      expect_alike(mask_of(testing::inputs(seen, kLanes, kBatch, kTime), train::Visibility::general,
                           rotary));
}

TEST_F(LibraryAttention, NeedsNoMaskWhereTheHostKnowsThePattern) {
  for (const auto& [seen, visibility] : {std::pair{Seen::causal, train::Visibility::causal},
                                         {Seen::bidirectional, train::Visibility::full}}) {
    const AttentionMask mask =
        mask_of(testing::inputs(seen, kLanes, kBatch, kTime), visibility, true);
    EXPECT_FALSE(plain_operations(true, true)->prepared(mask, at::kFloat).bias.defined());
    expect_alike(mask);
  }
}

TEST_F(LibraryAttention, GivesZerosWhereNothingIsSeen) {
  train::Inputs inputs = testing::inputs(Seen::anything, kLanes, kBatch, kTime);
  inputs.visible_until.select(1, 1).copy_(inputs.visible_from.select(1, 1));  // a row of padding
  const AttentionMask mask = mask_of(inputs, train::Visibility::general, false);
  const Attended found = attend(*plain_operations(true, true), mask, at::kFloat);
  EXPECT_TRUE(found.gradient.isfinite().all().item<bool>());
  EXPECT_EQ(found.out.select(1, 1).abs().max().item<double>(), 0);
  expect_alike(mask);
}

}  // namespace
}  // namespace ablate::models
