// Gated DeltaNet against a recurrence in double precision that shares no code with it.

#include <gtest/gtest.h>

#include "models/operations/scan/delta_rule.h"
#include "models/operations/scan/unit_triangular.h"
#include "tests/models/mixers/mixer_vectors.h"

namespace ablate::models {
namespace {

using testing::wave;

TEST(GatedDelta, IsTheRecurrenceOfTheVectorsForwardAndBackward) {
  testing::expect_vectors("gated_delta", "head_norm");
}

/// Rows of documents that cross the borders of chunks.
class DeltaRowsOfDocuments {
 public:
  static constexpr std::int64_t kTime = 150;

  DeltaRowsOfDocuments() {
    from_ = at::zeros({1, 2, kTime}, at::kLong);
    for (const std::int64_t begin : {3, 64, 71, 80, 130})
      from_.narrow(2, begin, kTime - begin).fill_(begin);
  }

  DeltaRows rows(std::int64_t first, std::int64_t count) const {
    const auto part = [&](double start, std::int64_t size) {
      return wave(start, {1, 2, kTime, size}, 1).narrow(2, first, count);
    };
    const at::Tensor keys = part(.3, 6).unflatten(-1, {2, 3});
    return {part(.1, 6).unflatten(-1, {2, 3}),
            keys / keys.norm(2, {-1}, true),
            part(.5, 8).unflatten(-1, {2, 4}),
            -part(.2, 2).abs(),
            part(.4, 2).abs(),
            from_.narrow(2, first, count) - first};
  }

 private:
  at::Tensor from_;
};

TEST(DeltaRuleScan, GivesInChunksWhatItGivesStepByStep) {
  const DeltaRowsOfDocuments all;
  at::Tensor state, stepped;
  const at::Tensor together = delta_rule_scan(all.rows(0, all.kTime), state);
  for (std::int64_t t = 0; t < all.kTime; ++t)
    EXPECT_TRUE(
        delta_rule_scan(all.rows(t, 1), stepped).allclose(together.narrow(2, t, 1), 1e-9, 1e-12))
        << t;
  EXPECT_TRUE(state.allclose(stepped, 1e-9, 1e-12));
}

TEST(DeltaRuleScan, InSinglePrecisionIsThatInDouble) {
  const DeltaRowsOfDocuments all;
  const DeltaRows exact = all.rows(0, all.kTime);
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
