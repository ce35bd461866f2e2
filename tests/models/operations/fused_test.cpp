// Compares the fused operations with the plain ones, and both with float64 and autograd.

#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/kernels/simd/simd.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "models/specs/bfloat16_spec.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr Seen kEveryPattern[] = {Seen::causal, Seen::bidirectional, Seen::documents,
                                  Seen::prefix, Seen::anything,      Seen::split};

struct Losses {
  at::Tensor losses;                  // float64 [lane]
  std::vector<at::Tensor> gradients;  // float64
};

enum class With { fused, plain, float64, fused_bfloat16, plain_bfloat16 };

Losses run(train::NetworkSettings settings, With with, const train::Inputs& inputs,
           const std::vector<train::LaneTargets>& targets) {
  settings.fused = with == With::fused || with == With::fused_bfloat16;
  settings.bfloat16 = with == With::fused_bfloat16 || with == With::plain_bfloat16;
  const auto network = testing::bank(settings);
  if (with == With::float64)
    for (train::Parameter& parameter : network->parameters())
      parameter.value = parameter.value.detach().to(at::kDouble).requires_grad_(true);
  const at::Tensor losses = network->losses(network->hidden(inputs), targets);
  (losses * at::arange(1, settings.lanes + 1)).sum().backward();  // lanes weigh unlike
  Losses outcome = {losses.detach().to(at::kDouble), {}};
  for (const train::Parameter& parameter : network->parameters())
    outcome.gradients.push_back(parameter.value.grad().to(at::kDouble));
  return outcome;
}

// The largest relative distance of a tensor from its reference.
double worst(const Losses& outcome, const Losses& reference) {
  double maximum =
      ((outcome.losses - reference.losses) / reference.losses).abs().max().item<double>();
  for (std::size_t i = 0; i < reference.gradients.size(); ++i) {
    const double size = reference.gradients[i].norm().item<double>();
    const double distance = (outcome.gradients[i] - reference.gradients[i]).norm().item<double>();
    const double relative = size > 0 ? distance / size : distance;
    if (!(relative <= maximum)) maximum = relative;  // NaN, too
  }
  return maximum;
}

void expect_exact(const Json& model, std::int64_t time) {
  for (const Seen seen : kEveryPattern) {
    const train::NetworkSettings settings = testing::settings(model, 2);
    const train::Inputs inputs = testing::inputs(seen, 2, 3, time, 17);
    const auto targets = testing::targets(inputs, 0.5);
    const Losses reference = run(settings, With::float64, inputs, targets);
    EXPECT_LT(worst(run(settings, With::plain, inputs, targets), reference), 1e-5) << model;
    EXPECT_LT(worst(run(settings, With::fused, inputs, targets), reference), 1e-5) << model;
  }
}

TEST(FusedOperations, AgreeWithFloat64UnderEveryOption) {
  for (const Json& model : testing::every_option({{"width", 8}, {"heads", 2}, {"context", 12}}))
    expect_exact(model, 11);
}

// Head widths below, at and above the vector width, contexts beyond one block, and widths with and
// without our own products, for every instruction set of this processor.
TEST(FusedOperations, AgreeWithFloat64AtEverySizeAndLevel) {
  using kernels::InstructionSet;
  for (const InstructionSet level : {InstructionSet::any, InstructionSet::avx2,
                                     InstructionSet::avx512, InstructionSet::avx512_bfloat16}) {
    kernels::limit_instruction_set(level);
    for (const auto& [width, heads] :
         std::vector<std::pair<int, int>>{{12, 1}, {32, 1}, {48, 2}, {64, 4}, {96, 1}})
      for (const char* positions : {"rotary", "alibi"})
        expect_exact({{"width", width},
                      {"heads", heads},
                      {"context", 40},
                      {"depth", 1},
                      {"positions", positions}},
                     37);
  }
  kernels::limit_instruction_set(InstructionSet::avx512_bfloat16);
}

// Products of few rows go another way: what a row comes to must not depend on how many there are.
TEST(FusedOperations, GiveARowTheSameBitsAmongFewAndMany) {
  using kernels::InstructionSet;
  const auto fused = fused_operations();
  for (const InstructionSet level : {InstructionSet::any, InstructionSet::avx2,
                                     InstructionSet::avx512, InstructionSet::avx512_bfloat16}) {
    kernels::limit_instruction_set(level);
    for (const auto& [in, out] :
         std::vector<std::pair<std::int64_t, std::int64_t>>{{48, 56}, {256, 96}, {300, 257}}) {
      const at::Tensor many =
          at::arange(200 * in, at::kFloat).mul(0.37).sin().view({1, 1, 200, in});
      const at::Tensor weight = at::arange(out * in, at::kFloat).mul(0.61).cos().view({1, out, in});
      const at::Tensor expected = fused->linear(many, weight);
      for (const std::int64_t rows : {1, 3, 16, 21}) {
        const at::Tensor few = fused->linear(many.narrow(2, 7, rows), weight);
        EXPECT_TRUE(few.equal(expected.narrow(2, 7, rows)))
            << rows << " rows, " << in << " to " << out << ", level " << static_cast<int>(level);
      }
    }
  }
  kernels::limit_instruction_set(InstructionSet::avx512_bfloat16);
}

TEST(PlainOperations, AgreeBatchedAndLaneByLane) {
  const auto batched = plain_operations(true), by_lane = plain_operations(false);
  const train::Inputs inputs = testing::inputs(Seen::prefix, 3, 2, 6);
  std::vector<train::LaneTargets> targets = testing::targets(inputs, 1);
  const at::Tensor x = at::arange(3 * 2 * 6 * 8, at::kFloat).mul(0.37).sin().view({3, 2, 6, 8});
  const at::Tensor weight = at::arange(3 * 32 * 8, at::kFloat).mul(0.61).cos().view({3, 32, 8});
  EXPECT_TRUE(batched->linear(x, weight).allclose(by_lane->linear(x, weight), 1e-5, 1e-5));
  const OutputHead head = {weight, 0.5, at::kFloat};
  const at::Tensor losses = by_lane->losses(x, head, targets);
  EXPECT_TRUE(batched->losses(x, head, targets).allclose(losses, 1e-5, 1e-5));
  EXPECT_FALSE(losses[0].allclose(losses[1], 1e-5, 1e-5));
}

// Errors are a few bfloat16 roundings (2^-9) for each operation, and those of fused operations are
// about as large as those of plain ones.
void expect_near(const Json& model, std::int64_t time) {
  for (const Seen seen : kEveryPattern) {
    const train::NetworkSettings settings = testing::settings(model, 2);
    const train::Inputs inputs = testing::inputs(seen, 2, 3, time, 5);
    const auto targets = testing::targets(inputs, 0.8);
    const Losses reference = run(settings, With::float64, inputs, targets);
    const double plain = worst(run(settings, With::plain_bfloat16, inputs, targets), reference);
    const double fused = worst(run(settings, With::fused_bfloat16, inputs, targets), reference);
    EXPECT_LT(fused, 0.03) << model << " " << static_cast<int>(seen);
    EXPECT_LT(fused, 1.5 * plain) << model << " " << static_cast<int>(seen);
  }
}

TEST(FusedOperations, InBfloat16AreAsNearAsBfloat16IsUnderEveryOption) {
  if (!bfloat16_refusal().empty()) GTEST_SKIP() << bfloat16_refusal();
  for (const Json& model : testing::every_option({{"width", 32}, {"heads", 2}, {"context", 24}}))
    expect_near(model, 24);
}

// Head widths below, at and above a vector, contexts beyond one block and beyond one chunk, odd
// sizes. Not 63 rows of width 18: on processors with AMX, LibTorch 1.13's oneDNN ends the process
// with an illegal instruction in their product [72, 63] x [63, 18].
TEST(FusedOperations, InBfloat16AreAsNearAsBfloat16IsAtEverySize) {
  if (!bfloat16_refusal().empty()) GTEST_SKIP() << bfloat16_refusal();
  for (const auto& [width, heads, time] : std::vector<std::tuple<int, int, int>>{
           {12, 1, 37}, {18, 3, 23}, {32, 1, 40}, {64, 4, 64}, {96, 1, 33}, {32, 2, 150}})
    for (const char* positions : {"rotary", "alibi"})
      expect_near({{"width", width},
                   {"heads", heads},
                   {"context", time},
                   {"depth", 1},
                   {"positions", positions}},
                  time);
}

TEST(FusedOperations, AnEmptySecondIntervalChangesNoBit) {
  const train::NetworkSettings settings = testing::settings(testing::tiny());
  const train::Inputs one = testing::inputs(Seen::anything, 1, 3, 12);
  train::Inputs two = one;
  two.also_from = two.also_until = at::zeros_like(one.tokens);
  const at::Tensor plain = testing::bank(settings)->hidden(one);
  EXPECT_TRUE(at::equal(plain, testing::bank(settings)->hidden(two)));
}

TEST(FusedOperations, RefuseWhatWouldReadAnothersMemory) {
  const auto network = testing::bank(testing::settings(testing::tiny()));
  const train::Inputs inputs = testing::inputs(Seen::split, 1, 2, 8);
  for (at::Tensor train::Inputs::*each :
       {&train::Inputs::tokens, &train::Inputs::positions, &train::Inputs::visible_from,
        &train::Inputs::visible_until, &train::Inputs::also_from, &train::Inputs::also_until})
    for (const std::int64_t bad : {-1, 1000}) {
      train::Inputs changed = inputs;
      changed.*each = (inputs.*each).clone();
      (changed.*each)[0][1][3] = bad;
      EXPECT_THROW(network->hidden(changed), std::logic_error) << bad;
    }
}

}  // namespace
}  // namespace ablate::models
