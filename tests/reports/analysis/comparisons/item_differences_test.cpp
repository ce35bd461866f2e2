#include "reports/analysis/comparisons/item_differences.h"
#include "tests/reports/found.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(ItemDifferences, AreAbsentWhereNoItemsWereStored) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_THAT(item_differences(analysis), IsEmpty());
  EXPECT_THAT(shown<Table>(analysis, "items").rows, IsEmpty());
}

// In every seed the arms differ on the same 15 of 100 documents: seeds vary by nothing, items by
// sqrt(.15 .85 / 100 / 6), and McNemar's p is 2^-14.
TEST(ItemDifferences, TellSeedsFromItems) {
  const store::Records records = with_items(90, 75);
  const Analysis analysis = analyse(records);
  const std::vector<ItemDifference> all = item_differences(analysis);
  ASSERT_EQ(all.size(), 1u);
  const ItemDifference& seen = all[0];
  EXPECT_EQ(seen.difference, analysis.difference("mlm", "topic.accuracy"));
  EXPECT_EQ(seen.seeds, 6);
  EXPECT_EQ(seen.items, 100);
  EXPECT_NEAR(seen.both.mean, -.15, 1e-12);
  EXPECT_NEAR(seen.both.seed_error, 0, 1e-12);
  EXPECT_NEAR(seen.both.item_error, std::sqrt(.15 * .85 / 600), 1e-12);
  EXPECT_EQ(seen.models_differ, 6);
  EXPECT_THAT(shown<Table>(analysis, "items").notes[0],
              HasSubstr("None of this decides a verdict"));
}

TEST(ItemDifferences, OfModelsThatDifferOnFewItemsAreNoDifferenceOfThese) {
  const store::Records records = with_items(90, 88);
  const Analysis analysis = analyse(records);
  EXPECT_EQ(item_differences(analysis)[0].models_differ, 0) << "2 of 2 has p = .5";
}

TEST(ItemDifferences, LeaveOutSeedsWithOtherItemsAndTrialsThatDidNotComplete) {
  store::Records records = with_items(90, 75);
  trial_of(records, "mlm", 1).items["topic.accuracy"] = items_of(99, 75);
  trial_of(records, "clm", 2).items.clear();
  trial_of(records, "mlm", 3).outcome = "failed";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(item_differences(analysis)[0].seeds, 3);
}

TEST(ItemDifferences, LeaveOutArmsThatWereAskedOtherItems) {
  store::Records records = with_items(90, 75);
  for (store::TrialRecord& trial : records.trials)
    trial.item_sets["topic.accuracy"] = trial.arm == "clm" ? "padded 64" : "isolated 64";
  EXPECT_THAT(item_differences(analyse(records)), IsEmpty());
  for (store::TrialRecord& trial : records.trials) trial.item_sets["topic.accuracy"] = "padded 64";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(item_differences(analysis).size(), 1u);
}

TEST(ItemDifferences, HaveNoCountOfModelsWhereItemsAreFractions) {
  store::Records records = with_items(90, 75);
  trial_of(records, "mlm", 1).items["topic.accuracy"][0] = 2.0 / 3;
  const Analysis analysis = analyse(records);
  EXPECT_FALSE(item_differences(analysis)[0].models_differ);
}

}  // namespace
}  // namespace ablate::reports
