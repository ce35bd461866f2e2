// Linear attention against a recurrence in float64 that is written out here, and its gradients against
// finite differences.

#include "models/operations/linear_attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/operations/device/device_operations.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "tests/models/bank.h"
#include "tests/models/emulated_device.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kLinearLanes = 2, kLinearBatch = 2, kLinearHeads = 2, kLinearHeadWidth = 4;
constexpr std::int64_t kLinearWidth = kLinearHeads * kLinearHeadWidth;

at::Tensor qkv_of(std::int64_t time, at::ScalarType type) {
  return at::arange(kLinearLanes * kLinearBatch * time * 3 * kLinearWidth, at::kDouble)
      .mul(0.37)
      .sin()
      .mul(2)
      .view({kLinearLanes, kLinearBatch, time, 3 * kLinearWidth})
      .to(type);
}

AttentionMask linear_mask(const train::Inputs& inputs, bool rotary) {
  AttentionMask mask = {inputs.positions, inputs.visible_from, inputs.visible_until};
  mask.heads = kLinearHeads;
  if (!rotary) return mask;
  const at::Tensor angles = at::outer(at::arange(inputs.tokens.size(2), at::kDouble),
                                      at::tensor({1.0, 0.1}, at::kDouble));
  const at::Tensor cosines = at::cos(angles), sines = at::sin(angles);
  mask.rotary =
      at::stack({at::cat({cosines, cosines}, 1), at::cat({-sines, sines}, 1)}, 1).contiguous();
  return mask;
}

/// Documents of a row that see the past, one of them longer than two chunks, with a hole in which
/// nothing is seen and padding at the end.
train::Inputs causal_documents(std::int64_t time) {
  train::Inputs inputs = testing::inputs(Seen::causal, kLinearLanes, kLinearBatch, time);
  std::int64_t from = 0;
  for (const std::int64_t begin : {3, 64, 71, 80}) {
    if (begin >= time) break;
    inputs.visible_from.narrow(2, begin, time - begin).fill_(from = begin);
  }
  for (const auto& [begin, count] : {std::pair<std::int64_t, std::int64_t>{67, 4}, {time - 2, 2}}) {
    if (begin < 0 || begin + count > time) continue;
    inputs.visible_from.narrow(2, begin, count).zero_();
    inputs.visible_until.narrow(2, begin, count).zero_();
  }
  return inputs;
}

/// The same documents without hole and padding, read in both directions.
train::Inputs documents_both_ways(std::int64_t time) {
  train::Inputs inputs = testing::inputs(Seen::bidirectional, kLinearLanes, kLinearBatch, time);
  for (const std::int64_t begin : {3, 64, 71, 80}) {
    if (begin >= time) break;
    inputs.visible_from.narrow(2, begin, time - begin).fill_(begin);
    const at::Tensor before = inputs.visible_until.narrow(2, 0, begin);
    before.clamp_max_(begin);
  }
  return inputs;
}

double phi(double x) { return x > 0 ? x + 1 : std::exp(x); }

/// phi of the queries or keys of a position by head, turned by its rotary position if asked to.
std::vector<double> units_of(const double* row, std::int64_t part, std::int64_t head,
                             const double* turns) {
  const double* const x = row + part * kLinearWidth + head * kLinearHeadWidth;
  std::vector<double> made;
  for (std::int64_t d = 0; d < kLinearHeadWidth; ++d) {
    const double own = phi(x[d]), other = phi(x[(d + kLinearHeadWidth / 2) % kLinearHeadWidth]);
    made.push_back(turns == nullptr ? own : own * turns[d] + other * turns[kLinearHeadWidth + d]);
  }
  return made;
}

/// What linear attention is by its definition, in float64, of one head of a row: from the first position
/// that i sees to the last one, state += phi(k) v^T and normaliser += phi(k).
void recur(const double* qkv, const std::int64_t* from, const std::int64_t* until,
           const at::Tensor& rotary, std::int64_t time, std::int64_t head, double* out) {
  const auto turns = [&](std::int64_t i) {
    return rotary.defined() ? rotary.data_ptr<double>() + i * 2 * kLinearHeadWidth : nullptr;
  };
  double state[kLinearHeadWidth][kLinearHeadWidth] = {}, normaliser[kLinearHeadWidth] = {};
  std::int64_t begun = -1, read = 0;  // the state holds positions [begun, read)
  for (std::int64_t i = 0; i < time; ++i) {
    if (until[i] <= from[i]) continue;
    if (from[i] != begun || until[i] < read) {
      for (auto& units : state) std::fill(std::begin(units), std::end(units), 0.0);
      std::fill(std::begin(normaliser), std::end(normaliser), 0.0);
      begun = read = from[i];
    }
    for (; read < until[i]; ++read) {
      const double* const row = qkv + read * 3 * kLinearWidth;
      const auto turned = units_of(row, 1, head, turns(read)),
                 key = units_of(row, 1, head, nullptr);
      for (std::size_t a = 0; a < kLinearHeadWidth; ++a) {
        normaliser[a] += key[a];
        for (std::size_t b = 0; b < kLinearHeadWidth; ++b)
          state[a][b] +=
              turned[a] *
              row[2 * kLinearWidth + head * kLinearHeadWidth + static_cast<std::int64_t>(b)];
      }
    }
    const double* const row = qkv + i * 3 * kLinearWidth;
    const auto turned = units_of(row, 0, head, turns(i)), query = units_of(row, 0, head, nullptr);
    double denominator = 1e-6;
    for (std::size_t a = 0; a < kLinearHeadWidth; ++a) denominator += query[a] * normaliser[a];
    for (std::size_t b = 0; b < kLinearHeadWidth; ++b) {
      double sum = 0;
      for (std::size_t a = 0; a < kLinearHeadWidth; ++a) sum += turned[a] * state[a][b];
      out[i * kLinearWidth + head * kLinearHeadWidth + static_cast<std::int64_t>(b)] =
          sum / denominator;
    }
  }
}

/// The same of all heads and rows: float64 [lane, batch, time, width].
at::Tensor by_recurrence(const at::Tensor& qkv, const AttentionMask& mask) {
  const at::Tensor read = qkv.to(at::kDouble).contiguous();
  const std::int64_t time = qkv.size(2);
  const at::Tensor out =
      at::zeros({kLinearLanes, kLinearBatch, time, kLinearWidth}, read.options());
  for (std::int64_t row = 0; row < kLinearLanes * kLinearBatch; ++row)
    for (std::int64_t head = 0; head < kLinearHeads; ++head)
      recur(read.data_ptr<double>() + row * time * 3 * kLinearWidth,
            mask.visible_from.data_ptr<std::int64_t>() + row * time,
            mask.visible_until.data_ptr<std::int64_t>() + row * time, mask.rotary, time, head,
            out.data_ptr<double>() + row * time * kLinearWidth);
  return out;
}

double apart(const at::Tensor& found, const at::Tensor& expected) {
  return ((found.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
}

/// Every pattern at these lengths: within a chunk, and over several of them.
std::vector<train::Inputs> patterns(std::int64_t time) {
  std::vector<train::Inputs> all = {causal_documents(time), documents_both_ways(time)};
  for (const Seen seen :
       {Seen::causal, Seen::bidirectional, Seen::documents, Seen::prefix, Seen::anything})
    all.push_back(testing::inputs(seen, kLinearLanes, kLinearBatch, time));
  return all;
}

TEST(LinearAttention, IsTheRecurrenceUnderEveryPattern) {
  for (const std::int64_t time : {1, 11, 64, 150})
    for (const train::Inputs& inputs : patterns(time))
      for (const bool rotary : {false, true}) {
        const AttentionMask mask = linear_mask(inputs, rotary);
        for (const auto& [type, tolerance] :
             {std::pair{at::kDouble, 1e-12}, {at::kFloat, 1e-5}, {at::kBFloat16, 2e-2}}) {
          const at::Tensor qkv = qkv_of(time, type);
          const at::Tensor found = linear_attention(qkv, mask);
          EXPECT_EQ(found.scalar_type(), type);
          EXPECT_LT(apart(found, by_recurrence(qkv, mask)), tolerance) << time << type;
        }
      }
}

TEST(LinearAttention, IsOneOperationOfAllKinds) {
  const train::Inputs inputs = causal_documents(90);
  const AttentionMask mask = linear_mask(inputs, true);
  const at::Tensor qkv = qkv_of(90, at::kFloat);
  const at::Tensor expected = linear_attention(qkv, mask);
  AttentionMask single = mask;  // its table in the precision of networks
  single.rotary = mask.rotary.to(at::kFloat);
  for (const auto& operations :
       {plain_operations(false), plain_operations(true), fused_operations(), device_operations()})
    EXPECT_LT(apart(operations->linear_attention(qkv, operations->prepared(single, at::kFloat)),
                    expected.to(at::kDouble)),
              1e-5);
}

TEST(LinearAttention, HasTheGradientsOfItsValues) {
  for (const std::int64_t time : {5, 70})
    for (const bool causal : {true, false}) {
      const AttentionMask mask =
          linear_mask(causal ? causal_documents(time) : documents_both_ways(time), true);
      const at::Tensor qkv = qkv_of(time, at::kDouble).requires_grad_(true);
      const at::Tensor weights = at::arange(qkv.numel() / 3, at::kDouble)
                                     .cos()
                                     .view({kLinearLanes, kLinearBatch, time, -1});
      const auto cost = [&](const at::Tensor& read) {
        return (linear_attention(read, mask) * weights).sum();
      };
      cost(qkv).backward();
      Rng rng(3);
      for (int trial = 0; trial < 40; ++trial) {
        const std::int64_t at = rng.below(qkv.numel());
        constexpr double kStep = 1e-5;
        const auto moved = [&](double by) {
          at::Tensor copy = qkv.detach().clone();
          copy.view({-1})[at] += by;
          return cost(copy).item<double>();
        };
        EXPECT_NEAR(qkv.grad().view({-1})[at].item<double>(),
                    (moved(kStep) - moved(-kStep)) / (2 * kStep), 1e-7)
            << time << " at " << at;
      }
    }
}

TEST(LinearAttention, GivesZerosAndNoGradientWhereNothingIsSeen) {
  const train::Inputs inputs = causal_documents(150);
  const at::Tensor qkv = qkv_of(150, at::kFloat).requires_grad_(true);
  const at::Tensor out = linear_attention(qkv, linear_mask(inputs, true));
  const at::Tensor blind = inputs.visible_until <= inputs.visible_from;
  EXPECT_TRUE(blind.any().item<bool>());
  EXPECT_EQ(out.index_select(2, at::tensor(at::ArrayRef<std::int64_t>({67, 70, 148, 149})))
                .abs()
                .max()
                .item<double>(),
            0);
  out.sum().backward();
  EXPECT_TRUE(qkv.grad().isfinite().all().item<bool>());
  EXPECT_EQ(qkv.grad().narrow(2, 148, 2).abs().max().item<double>(), 0);
}

TEST(LinearAttention, ADocumentWhoseKeysVanishLeavesTheOthersAsTheyAre) {
  const train::Inputs inputs = causal_documents(150);
  const AttentionMask mask = linear_mask(inputs, true);
  const at::Tensor qkv = qkv_of(150, at::kFloat), broken = qkv.clone();
  const at::Tensor before = linear_attention(qkv, mask);
  broken.narrow(2, 3, 61).narrow(3, kLinearWidth, kLinearWidth).mul_(-1e30);  // keys: phi is 0
  const at::Tensor after = linear_attention(broken, mask);
  EXPECT_TRUE(before.narrow(2, 64, 86).equal(after.narrow(2, 64, 86)));
  EXPECT_TRUE(after.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace ablate::models
