// Gated DeltaNet against a recurrence in double precision that shares no code with it.

#include <gtest/gtest.h>

#include "models/operations/scan/delta_rule.h"
#include "models/operations/scan/unit_triangular.h"
#include "tests/models/mixers/scan_in_chunks.h"

namespace ablate::models {
namespace {

using testing::wave;

TEST(GatedDelta, IsTheRecurrenceOfTheVectorsForwardAndBackward) {
  testing::expect_vectors("gated_delta", "head_norm");
}

DeltaRows delta_rows(std::int64_t first, std::int64_t count) {
  const testing::RowsOfDocuments all;
  const at::Tensor keys = all.by_head(.3, 3, first, count);
  return {all.by_head(.1, 3, first, count),    keys / keys.norm(2, {-1}, true),
          all.by_head(.5, 4, first, count),    -all.part(.2, 2, first, count).abs(),
          all.part(.4, 2, first, count).abs(), all.from(first, count)};
}

TEST(DeltaRuleScan, GivesInChunksWhatItGivesStepByStep) {
  testing::expect_chunks_are_steps(delta_rows, delta_rule_scan);
}

TEST(DeltaRuleScan, InSinglePrecisionIsThatInDouble) {
  const DeltaRows exact = delta_rows(0, testing::RowsOfDocuments::kTime);
  const auto single = [](const at::Tensor& x) { return x.to(at::kFloat); };
  at::Tensor state, rounded;
  const at::Tensor expected = delta_rule_scan(exact, state);
  const at::Tensor found =
      delta_rule_scan({single(exact.reads), single(exact.keys), single(exact.values),
                       single(exact.decays), single(exact.rates), exact.from},
                      rounded);
  EXPECT_LT((found - expected).abs().max().item<double>(), 1e-5);
}

// What a device multiplies by where the processor solves.
TEST(DeltaRuleScan, InvertsWhatIsBelowTheDiagonal) {
  for (const std::int64_t n : {1, 2, 3, 11, 64}) {
    const at::Tensor matrices = wave(.3, {2, 3, n, n}, .5);
    const at::Tensor unit = matrices.tril(-1) + at::eye(n, at::kDouble);
    const at::Tensor inverse = unit_triangular_inverse(matrices);
    ASSERT_EQ(inverse.sizes(), matrices.sizes());
    const at::Tensor solved =
        at::linalg_solve_triangular(unit, at::eye(n, at::kDouble).expand_as(unit), /*upper=*/false);
    EXPECT_LT((inverse - solved).abs().max().item<double>(),
              1e-9 * solved.abs().max().item<double>())
        << n;
  }
}

// What the rule is for: a key that comes again holds its new value, and nothing of the old one.
TEST(DeltaRuleScan, ReplacesWhatAKeyHeld) {
  const at::Tensor key = at::tensor({1., 0., 0.}, at::kDouble);
  const at::Tensor keys = at::stack({key, key.roll({1}), key}).view({1, 1, 3, 1, 3});
  const at::Tensor values = wave(.1, {1, 1, 3, 1, 2}, 1);
  const at::Tensor none = at::zeros({1, 1, 3, 1}, at::kDouble);
  at::Tensor state;
  const at::Tensor read = delta_rule_scan(
      {keys, keys, values, none, at::ones_like(none), at::zeros({1, 1, 3}, at::kLong)}, state);
  EXPECT_TRUE(read.allclose(values, 1e-12, 1e-12));
  EXPECT_TRUE(state.select(3, 0).allclose(values.select(2, 2), 1e-12, 1e-12));
  EXPECT_TRUE(state.select(3, 1).allclose(values.select(2, 1), 1e-12, 1e-12));
}

}  // namespace
}  // namespace ablate::models
