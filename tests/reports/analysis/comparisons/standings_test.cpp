// Bold in a table: what is best, and what was not shown to be behind it.

#include "reports/analysis/comparisons/standings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::IsEmpty;

/// The small experiment with eight seeds: enough to tell three arms apart.
store::Records eight_seeds() {
  store::Records records = small_records();
  for (const std::int64_t seed : {7, 8}) {
    records.trials.push_back(small_trial("clm", seed, .22));
    records.trials.push_back(small_trial("mlm", seed, .72 + .01 * static_cast<double>(seed)));
  }
  return records;
}

/// Adds an arm whose excess is that of clm and more.
void add_arm(store::Records& records, const std::string& name, double more, double spread) {
  records.plan["arms"].push_back(plan_arm(name, false, "causal_lm", 0));
  records.plan["metrics"][name] = small_metrics();
  const auto is_clm = [](const store::TrialRecord& trial) { return trial.arm == "clm"; };
  const auto seeds = std::count_if(records.trials.begin(), records.trials.end(), is_clm);
  for (std::int64_t seed = 1; seed <= seeds; ++seed)
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
  store::Records records = eight_seeds();
  add_arm(records, "near", .001, .05);
  EXPECT_EQ(in_excess(records).at("near"), Standing::unresolved);
  EXPECT_EQ(in_excess(records).at("clm"), Standing::best);
}

TEST(Standings, WhatIsWithinTheSmallestEffectIsEquivalent) {
  store::Records records = eight_seeds();
  add_arm(records, "near", .001, .002);
  EXPECT_EQ(in_excess(records).at("near"), Standing::unresolved) << "nothing says what matters";
  records.plan["analysis"]["smallest_effect"] = 0.02;
  EXPECT_EQ(in_excess(records).at("near"), Standing::equivalent);
}

TEST(Standings, AreAdjustedForTheArmsThatAreCompared) {
  store::Records records = small_records();
  EXPECT_EQ(in_excess(records).at("mlm"), Standing::unmarked) << "p is 1/32";
  add_arm(records, "third", .3, .01);
  EXPECT_THAT(in_excess(records), IsEmpty()) << "p is 2/32 at the least: nothing could be found";
  records = eight_seeds();
  for (const char* name : {"third", "fourth", "fifth", "sixth", "seventh"})
    add_arm(records, name, .3, .01);
  EXPECT_EQ(in_excess(records).at("mlm"), Standing::unmarked) << "p is 6/128";
  add_arm(records, "eighth", .3, .01);
  EXPECT_THAT(in_excess(records), IsEmpty()) << "p is 7/128";
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
