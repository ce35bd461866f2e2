// Bold in a table: what is best, and what was not shown to be behind it.

#include "reports/analysis/comparisons/standings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::IsEmpty;

/// Adds an arm whose excess is that of clm and more.
void add_arm(store::Records& records, const std::string& name, double more, double spread) {
  records.plan["arms"].push_back(plan_arm(name, false, "causal_lm", 0));
  records.plan["metrics"][name] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    records.trials.push_back(
        small_trial(name, seed,
                    trial_of(records, "clm", seed).metrics.at("held_out.excess") + more +
                        spread * (seed % 2 == 0 ? 1 : -1.0001)));
}

std::map<std::string, Standing> in_excess(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return standings(analysis, *analysis.metric("held_out.excess"));
}

TEST(Standings, TheBestMeanIsBestAndWhatDiffersIsUnmarked) {
  const auto found = in_excess(small_records());
  EXPECT_EQ(found.at("clm"), Standing::best);
  EXPECT_EQ(found.at("mlm"), Standing::unmarked);
}

TEST(Standings, FollowTheBetterDirection) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_EQ(standings(analysis, *analysis.metric("topic.accuracy")).at("clm"), Standing::best)
      << "higher is better, and its accuracy is higher";
  EXPECT_THAT(standings(analysis, *analysis.metric("topic.bayes")), IsEmpty()) << "no direction";
}

TEST(Standings, WhatTheTestDoesNotTellFromTheBestIsUnresolved) {
  store::Records records = small_records();
  add_arm(records, "near", .001, .05);
  EXPECT_EQ(in_excess(records).at("near"), Standing::unresolved);
  EXPECT_EQ(in_excess(records).at("clm"), Standing::best);
}

TEST(Standings, WhatIsWithinTheSmallestEffectIsEquivalent) {
  store::Records records = small_records();
  add_arm(records, "near", .001, .002);
  EXPECT_EQ(in_excess(records).at("near"), Standing::unresolved) << "nothing says what matters";
  records.plan["analysis"]["smallest_effect"] = 0.02;
  EXPECT_EQ(in_excess(records).at("near"), Standing::equivalent);
}

TEST(Standings, AreAdjustedForTheArmsThatAreCompared) {
  store::Records records = small_records();
  EXPECT_EQ(in_excess(records).at("mlm"), Standing::unmarked) << "p is 1/32";
  add_arm(records, "third", .3, .01);
  EXPECT_EQ(in_excess(records).at("mlm"), Standing::unresolved) << "p is 2/32";
}

TEST(Standings, NeedThreeValuesOfEveryArm) {
  store::Records records = small_records();
  std::erase_if(records.trials, [](const store::TrialRecord& trial) { return trial.seed > 2; });
  EXPECT_THAT(in_excess(records), IsEmpty());
}

TEST(Standings, NeedFairSamplesAndComparableArms) {
  store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_THAT(standings(analysis, *analysis.metric("held_out.loss")), IsEmpty())
      << "losses of different objectives";
  trial_of(records, "mlm", 3).outcome = "diverged";
  EXPECT_THAT(in_excess(records), IsEmpty());
}

}  // namespace
}  // namespace ablate::reports
