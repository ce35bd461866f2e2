// The kernels of recurrences against plain operations, for every instruction set of this processor.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "models/kernels/simd/simd.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "tests/models/mixers/mixer_vectors.h"

namespace ablate::models {
namespace {

using testing::wave;

double relative_distance(const at::Tensor& found, const at::Tensor& expected) {
  return ((found - expected).norm() / (1e-6 + expected.norm())).item<double>();
}

/// Each instruction set that this processor has, which is the one at hand in the test's body.
class MixerKernels : public ::testing::TestWithParam<kernels::InstructionSet> {
 protected:
  void SetUp() override {
    kernels::limit_instruction_set(GetParam());
    if (kernels::instruction_set() != GetParam()) GTEST_SKIP() << "this processor has none";
  }
  void TearDown() override {
    kernels::limit_instruction_set(kernels::InstructionSet::avx512_bfloat16);
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, MixerKernels,
                         ::testing::Values(kernels::InstructionSet::any,
                                           kernels::InstructionSet::avx2,
                                           kernels::InstructionSet::avx512,
                                           kernels::InstructionSet::avx512_bfloat16));

/// Rows whose documents cross the borders of the parts that kernels read, with padding at the end.
train::Inputs documents_of_parts(std::int64_t time, bool both_ways) {
  train::Inputs inputs;
  inputs.visible_from = at::zeros({1, 2, time}, at::kLong);
  inputs.visible_until = at::arange(1, time + 1, at::kLong).expand({1, 2, time}).clone();
  const std::vector<std::int64_t> begins = {0, 3, 60, 64, 71, 147};
  for (std::size_t d = 0; d + 1 < begins.size(); ++d) {
    const std::int64_t size = begins[d + 1] - begins[d];
    inputs.visible_from.narrow(2, begins[d], size).fill_(begins[d]);
    if (both_ways) inputs.visible_until.narrow(2, begins[d], size).fill_(begins[d + 1]);
  }
  inputs.visible_from.narrow(2, 147, time - 147).fill_(0);
  inputs.visible_until.narrow(2, 147, time - 147).fill_(0);
  return inputs;
}

TEST_P(MixerKernels, HaveTheGradientsOfPlainOperations) {
  constexpr std::int64_t kTime = 150;
  const std::pair<const char*, const char*> mixers[] = {
      {"mamba2", "gate_norm"}, {"gated_delta", "head_norm"}, {"rwkv7", "head_norm"}};
  for (const auto& [name, gain] : mixers) {
    const Json family = testing::mixer_vectors(name);
    const std::int64_t width = family.at("width");
    for (const bool both_ways : {false, true}) {
      const train::Inputs inputs = documents_of_parts(kTime, both_ways);
      std::vector<at::Tensor> found[2];
      for (const bool fused : {false, true}) {
        testing::MixersOfVectors own(name, family, gain);
        const auto operations = fused ? fused_operations() : plain_operations(false);
        Pass pass = {
            *operations, inputs, {{}, inputs.visible_from, inputs.visible_until}, at::kFloat};
        const at::Tensor normed =
            wave(0.5, {1, 2, kTime, width}, 1).to(at::kFloat).requires_grad_(true);
        const at::Tensor mixed = own.mixed(pass, normed);
        (mixed * wave(0.2, {1, 2, kTime, width}, 1).to(at::kFloat)).sum().backward();
        found[fused] = {mixed.detach(), normed.grad()};
        for (const train::Parameter& parameter : own.parameters.all())
          found[fused].push_back(parameter.value.grad());
      }
      for (std::size_t i = 0; i < found[0].size(); ++i)
        EXPECT_LT(relative_distance(found[1][i], found[0][i]), 2e-5) << name << i << both_ways;
    }
  }
}

/// Rows of the generalised delta rule in which keys and values have these widths.
struct DeltaCase {
  DeltaCase(std::int64_t time, std::int64_t keys, std::int64_t values) {
    const auto part = [&](double start, std::int64_t width) {
      return wave(start, {2, 1, time, 3, width}, .6).to(at::kFloat).requires_grad_(true);
    };
    for (const double start : {.1, .2, .3, .4}) given.push_back(part(start, keys));
    given.push_back(part(.5, values));
    given.push_back((wave(.6, {2, 1, time, 3, keys}, .6).abs().neg())
                        .to(at::kFloat)
                        .detach()
                        .requires_grad_(true));
    from = at::zeros({2, 1, time}, at::kLong);
    for (const std::int64_t begin : {5, 16, 33})
      if (begin < time) from.select(0, 1).narrow(1, begin, time - begin).fill_(begin);
  }

  GeneralisedDeltaRows rows() const {
    return {given[0], given[1], given[2], given[3], given[4], given[5], from};
  }

  std::vector<at::Tensor> given;
  at::Tensor from;
};

TEST_P(MixerKernels, ReadDeltaRulesOfEveryWidthAndLength) {
  const auto kernels = fused_operations(), plain = plain_operations(false);
  for (const std::int64_t time : {1, 15, 16, 17, 50})
    for (const auto& [keys, values] :
         std::initializer_list<std::pair<int, int>>{{1, 1}, {4, 4}, {16, 16}, {6, 17}, {20, 3}}) {
      std::vector<at::Tensor> found[2];
      for (const bool fused : {false, true}) {
        const DeltaCase own(time, keys, values);
        const at::Tensor outputs = (fused ? *kernels : *plain).generalised_delta(own.rows());
        (outputs * wave(.9, outputs.sizes().vec(), 1).to(at::kFloat)).sum().backward();
        found[fused].push_back(outputs.detach());
        for (const at::Tensor& one : own.given) found[fused].push_back(one.grad());
      }
      if (time == 1) {  // plain operations leave rounding where nothing decays
        EXPECT_TRUE(found[1].back().eq(0).all().item<bool>());
        found[0].pop_back();
      }
      for (std::size_t i = 0; i < found[0].size(); ++i)
        EXPECT_LT(relative_distance(found[1][i], found[0][i]), 2e-5)
            << i << " of time " << time << ", " << keys << " by " << values;
    }
}

}  // namespace
}  // namespace ablate::models
