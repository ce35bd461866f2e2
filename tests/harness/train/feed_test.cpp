// What a bank reads of its lanes' batches.

#include "harness/train/feed.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"

namespace ablate {
namespace {

using testing::drawn;
using testing::kRows;
using testing::kTime;

std::vector<Batch> two_lanes() { return {drawn(1, 0).batch, drawn(3, 0).batch}; }

TEST(Feed, PutsLanesSideBySideInOrder) {
  const std::vector<Batch> lanes = two_lanes();
  const Inputs inputs = to_inputs(lanes, "cpu");
  const std::pair<at::Tensor, std::vector<std::int32_t> Batch::*> fields[] = {
      {inputs.tokens, &Batch::tokens},
      {inputs.positions, &Batch::positions},
      {inputs.visible_from, &Batch::visible_from},
      {inputs.visible_until, &Batch::visible_until}};
  for (const auto& [tensor, field] : fields) {
    ASSERT_EQ(tensor.sizes().vec(), (std::vector<std::int64_t>{2, kRows, kTime}));
    const auto* values = tensor.data_ptr<std::int64_t>();
    for (const Batch& lane : lanes)
      for (const std::int32_t value : lane.*field) EXPECT_EQ(*values++, value);
  }
}

TEST(Feed, LeavesEachLaneItsOwnTargetsOnTheProcessor) {
  const std::vector<Batch> lanes = two_lanes();
  const std::vector<LaneTargets> targets = to_targets(lanes, Head::token, "cpu");
  ASSERT_LT(targets[1].at.numel(), targets[0].at.numel());
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const Scored& scored = lanes[lane].scored[0];
    ASSERT_EQ(targets[lane].at.numel(), static_cast<std::int64_t>(scored.at.size()));
    for (std::size_t i = 0; i < scored.at.size(); ++i) {
      EXPECT_EQ(targets[lane].at.data_ptr<std::int64_t>()[i], scored.at[i]);
      EXPECT_EQ(targets[lane].targets.data_ptr<std::int64_t>()[i], scored.targets[i]);
      EXPECT_EQ(targets[lane].weights.data_ptr<float>()[i], scored.weights[i]);
    }
  }
}

TEST(Feed, FillsLanesUpWithTargetsOfNoWeightElsewhere) {
  // "cpu:0" is the processor by another name: treated as any device that batches lanes.
  const std::vector<LaneTargets> own = to_targets(two_lanes(), Head::token, "cpu");
  const std::vector<LaneTargets> even = to_targets(two_lanes(), Head::token, "cpu:0");
  const std::int64_t few = own[1].at.numel(), all = even[0].at.numel();
  ASSERT_EQ(even[1].at.numel(), all);
  EXPECT_TRUE(even[1].targets.slice(0, 0, few).equal(own[1].targets));
  EXPECT_EQ(even[1].weights.slice(0, few).abs().sum().item<float>(), 0);
  EXPECT_GE((even[1].at.slice(0, 1) - even[1].at.slice(0, 0, all - 1)).min().item<std::int64_t>(),
            0);
}

TEST(Feed, GivesALaneWithoutTheHeadNothingToPredict) {
  EXPECT_EQ(to_targets(two_lanes(), Head::pair, "cpu")[0].at.numel(), 0);
}

}  // namespace
}  // namespace ablate
