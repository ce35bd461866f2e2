// Trends along a swept number.

#include "reports/analysis/sweeps/trends.h"
#include "tests/reports/found.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

TEST(Trends, AreTheSlopeAlongTheValues) {
  const store::Records records = with_sweep("mlm", {.5, .15, .3});  // .5 - .1 rate + .01 seed
  const Analysis analysis = analyse(records);
  const auto trends = trends_of(analysis);
  ASSERT_EQ(trends.size(), 1u);
  const Trend& trend = trends[0];
  EXPECT_EQ(trend.parameter, "objective.rate");
  EXPECT_EQ(trend.family, "mlm");
  EXPECT_EQ(trend.values, (std::vector<double>{.15, .3, .5}));
  EXPECT_FALSE(trend.doublings);
  EXPECT_EQ(trend.linear.over_seeds.n, 6);
  EXPECT_NEAR(*trend.linear.over_seeds.mean, -.1, 1e-12);
  EXPECT_EQ(trend.linear.p, .03125) << "all six seeds fall";
  EXPECT_NEAR(*trend.quadratic.over_seeds.mean, 0, 1e-12);
}

TEST(Trends, BendWhereTheMetricDoes) {
  store::Records records = with_sweep("mlm", {.1, .2, .3, .4});
  for (store::TrialRecord& trial : records.trials)
    for (const double rate : {.1, .2, .3, .4})
      if (trial.arm == fmt::format("mlm[rate={}]", rate))
        trial.metrics["held_out.excess"] += 4 * (rate - .25) * (rate - .25);
  const Analysis analysis = analyse(records);
  const Trend trend = trends_of(analysis)[0];
  EXPECT_NEAR(*trend.quadratic.over_seeds.mean, 4, 1e-9);
  EXPECT_EQ(trend.quadratic.p, .03125);
  EXPECT_NEAR(*trend.linear.over_seeds.mean, -.1, 1e-9);
}

TEST(Trends, OverADecadeArePerDoubling) {
  const store::Records records = with_sweep("mlm", {.05, .1, .2, .4, .8});
  const Analysis analysis = analyse(records);
  EXPECT_TRUE(trends_of(analysis)[0].doublings);
  const Table table = shown<Table>(analysis, "trends");
  EXPECT_EQ(table.rows.at(0).cells.at(1).text, "objective.rate, 5 values, 0.05 to 0.8");
  EXPECT_EQ(table.rows.at(0).cells.at(2).text, "doubling");
  EXPECT_EQ(table.rows.at(0).cells.at(4).text, "0.031");
}

TEST(Trends, LeaveOutSeedsThatAreNotComplete) {
  store::Records records = with_sweep("mlm", {.15, .3, .5});
  trial_of(records, "mlm[rate=0.3]", 2).outcome = "failed";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(trends_of(analysis)[0].linear.over_seeds.n, 5);
}

TEST(Trends, AreNotMadeOfTwoValuesOrOfMetricsThatMayNotBeCompared) {
  const store::Records two = with_sweep("mlm", {.15, .5});
  EXPECT_TRUE(trends_of(analyse(two)).empty());
  store::Records loss = with_sweep("mlm", {.15, .3, .5});
  loss.plan["analysis"]["primary"] = "held_out.loss";  // of the same objective and setting only
  EXPECT_TRUE(trends_of(analyse(loss)).empty());
  loss.plan["analysis"].erase("primary");
  EXPECT_TRUE(trends_of(analyse(loss)).empty());
}

}  // namespace
}  // namespace ablate::reports
