// Compares LibTorch's attention with the written-out one for every pattern of visibility. Skipped
// with LibTorch before 2.1, which has no fused attention.

#include "models/operations/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/operations/fused/fused_operations.h"
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

/// A mask whose positions are three apart, and whose scores fall with their distance.
AttentionMask by_distance(Seen seen) {
  train::Inputs inputs = testing::inputs(seen, kLanes, kBatch, kTime);
  inputs.positions = inputs.positions * 3;
  AttentionMask mask = mask_of(inputs, train::Visibility::general, false);
  mask.slopes = at::tensor({0.25, 0.0625}).to(at::kFloat);
  return mask;
}

/// Attention of the activations by such a mask, one number after the other.
at::Tensor written_out(const AttentionMask& mask) {
  const at::Tensor qkv =
      activations(at::kDouble).view({kLanes, kBatch, kTime, 3, kHeads, kHeadWidth});
  const at::Tensor out = at::zeros({kLanes, kBatch, kTime, kHeads, kHeadWidth}, at::kDouble);
  for (std::int64_t l = 0; l < kLanes; ++l)
    for (std::int64_t b = 0; b < kBatch; ++b)
      for (std::int64_t i = 0; i < kTime; ++i)
        for (std::int64_t h = 0; h < kHeads; ++h) {
          const at::Tensor row = qkv[l][b], position = mask.positions[l][b];
          double sum = 0;
          for (std::int64_t j = mask.visible_from[l][b][i].item<std::int64_t>();
               j < mask.visible_until[l][b][i].item<std::int64_t>(); ++j) {
            const double apart = std::abs((position[i] - position[j]).item<double>());
            const double score =
                (row[i][0][h] * row[j][1][h]).sum().item<double>() / std::sqrt(kHeadWidth) -
                mask.slopes[h].item<double>() * apart;
            out[l][b][i][h] += std::exp(score) * row[j][2][h];
            sum += std::exp(score);
          }
          if (sum > 0) out[l][b][i][h] /= sum;
        }
  return out.flatten(3);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

TEST(AttentionByDistance, IsTheOneThatIsWrittenOut) {
  for (const Seen seen : {Seen::causal, Seen::bidirectional, Seen::documents, Seen::anything}) {
    const AttentionMask mask = by_distance(seen);
    const at::Tensor expected = written_out(mask);
    EXPECT_LT(distance(attend(*plain_operations(false), mask, at::kDouble).out, expected), 1e-7);
    EXPECT_LT(distance(attend(*fused_operations(), mask, at::kFloat).out, expected), 1e-5);
  }
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

TEST_F(LibraryAttention, FallsWithTheDistance) {
  for (const Seen seen : {Seen::causal, Seen::bidirectional, Seen::documents, Seen::anything})
    expect_alike(by_distance(seen));
  AttentionMask causal = by_distance(Seen::causal);
  causal.visibility = train::Visibility::causal;
  expect_alike(causal);
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
