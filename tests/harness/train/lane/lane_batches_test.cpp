// Which batch a lane reads in which step, and what it costs.

#include "harness/train/lane/lane_batches.h"

#include <gtest/gtest.h>

namespace ablate::train {
namespace {

/// Batches of `rows` rows of 4 positions; the batch of step s has s raw tokens, one example and,
/// from its head, two targets.
LaneBatches::Draw batches_of(std::int64_t rows) {
  return [rows](std::int64_t step) {
    data::SampledBatch drawn{.examples = std::vector<data::PlacedExample>(1), .text_tokens = step};
    drawn.batch.rows = rows;
    drawn.batch.time = 4;
    drawn.batch.scored = {
        {.positions = {0, 1}, .targets = {7, 8}, .weights = {0.5f, 1}, .unscored = 2.5}};
    return drawn;
  };
}

/// Three phases, which begin with steps 0, 3 and 5.
LaneBatches three_phases() {
  LaneBatches batches;
  batches.add_phase(0, batches_of(10));
  batches.add_phase(3, batches_of(11));
  batches.add_phase(5, batches_of(12));
  return batches;
}

TEST(LaneBatches, CountStepsFromTheirPhase) {
  LaneBatches batches = three_phases();
  const std::size_t phases[] = {0, 0, 0, 1, 1, 2, 2, 2};
  const std::int64_t in_phase[] = {0, 1, 2, 0, 1, 0, 1, 2};
  for (std::int64_t step = 0; step < 8; ++step) {
    batches.draw(step);
    batches.advance();
    const auto i = static_cast<std::size_t>(step);
    EXPECT_EQ(batches.phase(), phases[i]) << step;
    EXPECT_EQ(batches.cost().text_tokens, in_phase[i]) << step;
    EXPECT_EQ(batches.batch().rows, 10 + static_cast<std::int64_t>(phases[i])) << step;
  }
}

TEST(LaneBatches, KeepTheCurrentStepsUntilTheNextIsAdvancedTo) {
  LaneBatches batches = three_phases();
  batches.draw(2);
  batches.advance();
  batches.draw(3);
  EXPECT_EQ(batches.phase(), 0u);
  EXPECT_EQ(batches.cost().text_tokens, 2);
  batches.advance();
  EXPECT_EQ(batches.phase(), 1u);
  batches.advance();
  EXPECT_EQ(batches.phase(), 1u) << "nothing was drawn since";
  EXPECT_EQ(batches.batch().rows, 11);
}

TEST(LaneBatches, CountWhatAStepUses) {
  LaneBatches batches = three_phases();
  batches.draw(1);
  batches.advance();
  EXPECT_EQ(batches.cost().steps, 1);
  EXPECT_EQ(batches.cost().positions, 10 * 4);
  EXPECT_EQ(batches.cost().sources, 0);
  EXPECT_EQ(batches.cost().targets, 2);
  EXPECT_DOUBLE_EQ(batches.cost().target_weight, 4);
  EXPECT_EQ(batches.weights(), std::vector<double>{4});
}

TEST(LaneBatches, TakeAStepForAsLongAsTheLast) {
  LaneBatches batches = three_phases();
  batches.set_seconds(0.25);
  batches.draw(0);
  batches.advance();
  EXPECT_EQ(batches.cost().seconds, 0.25);
}

TEST(LaneBatches, GiveTheExamplesOfAStepOnce) {
  LaneBatches batches = three_phases();
  batches.draw(0);
  batches.advance();
  EXPECT_EQ(batches.take_examples().size(), 1u);
  EXPECT_TRUE(batches.take_examples().empty());
}

}  // namespace
}  // namespace ablate::train
