// The differences between two results folders: nothing where nothing differs, and all that does.

#include "reports/diff/store_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/contract/metrics/metric.h"
#include "reports/diff/difference_text.h"
#include "tests/edited_curve.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The small experiment, as a plan that a folder could hold.
store::Records stored_records() {
  store::Records records = small_records();
  records.plan["trials"] = Json::array();
  for (const store::TrialRecord& trial : records.trials)
    records.plan["trials"].push_back(
        {{"id", trial.id},
         {"arm", trial.arm},
         {"seed", trial.seed},
         {"config", {{"train", {{"batch", 16}}}, {"seed", trial.seed}}},
         {"probes", {{{"id", "m-" + trial.id}, {"type", "held_out"}}}}});
  for (store::TrialRecord& trial : records.trials)
    trial.provenance = {{"commit", "abc"}, {"host", "here"}, {"process", trial.seed}};
  return records;
}

TEST(StoreDifference, OfAStoreFromItselfIsNothing) {
  const StoreDifference difference = difference_between(stored_records(), stored_records());
  EXPECT_TRUE(difference.equal());
  EXPECT_EQ(difference.trials, 12);
  EXPECT_EQ(difference.values, 12 * 5);
  EXPECT_EQ(difference.equal_values, 12 * 5);
  EXPECT_EQ(difference.equal_curves, 12);
  EXPECT_EQ(difference.equal_samples, 12);
  EXPECT_THAT(difference_text({"a", "b"}, difference), HasSubstr("a and b are equal"));
}

TEST(StoreDifference, TheLastBitOfAMetricCounts) {
  store::Records other = stored_records();
  double& value = trial_of(other, "mlm", 3).metrics["topic.accuracy"];
  value = std::nextafter(value, 2);
  const StoreDifference difference = difference_between(stored_records(), other);
  EXPECT_FALSE(difference.equal());
  ASSERT_EQ(difference.metrics.size(), 1);
  EXPECT_EQ(difference.metrics[0].arm, "mlm");
  EXPECT_EQ(difference.metrics[0].equal, 5);
  EXPECT_EQ(difference.metrics[0].pairs, 6);
}

TEST(StoreDifference, LeavesOutWhatAClockMeasured) {
  store::Records first = stored_records(), second = stored_records();
  for (store::Records* records : {&first, &second})
    for (Json& metrics : records->plan["metrics"])
      for (Json& metric : metrics)
        if (metric.at("name") == "topic.accuracy") metric["unit"] = kRatioOfSeconds;
  trial_of(second, "mlm", 3).metrics["topic.accuracy"] += .01;
  const StoreDifference difference = difference_between(first, second);
  EXPECT_TRUE(difference.same_numbers());
  EXPECT_LT(difference.values, 12 * 5);
}

TEST(StoreDifference, NoNumberEqualsNoNumber) {
  store::Records first = stored_records(), second = stored_records();
  trial_of(first, "mlm", 1).metrics["topic.accuracy"] = std::nan("1");
  trial_of(second, "mlm", 1).metrics["topic.accuracy"] = -std::nan("2");
  EXPECT_TRUE(difference_between(first, second).equal());
  trial_of(second, "mlm", 1).metrics["topic.accuracy"] = .5;
  const StoreDifference difference = difference_between(first, second);
  ASSERT_EQ(difference.metrics.size(), 1);
  EXPECT_TRUE(std::isinf(difference.metrics[0].size));
  EXPECT_EQ(difference.metrics[0].over_seeds.n, 5);
}

TEST(StoreDifference, MetricsAreOrderedByTheirShareOfTheRange) {
  store::Records other = stored_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    trial_of(other, "mlm", seed).metrics["held_out.loss"] += .01;   // of a range of .58
    trial_of(other, "clm", seed).metrics["topic.accuracy"] -= .05;  // of a range of .19
  }
  const StoreDifference difference = difference_between(stored_records(), other);
  ASSERT_EQ(difference.metrics.size(), 2);
  EXPECT_EQ(difference.metrics[0].metric, "topic.accuracy");
  EXPECT_NEAR(*difference.metrics[0].over_seeds.mean, -.05, 1e-12);
  EXPECT_EQ(difference.metrics[1].metric, "held_out.loss");
  EXPECT_GT(difference.metrics[0].size, difference.metrics[1].size);
}

TEST(StoreDifference, OfTheOtherWayRoundHasTheOtherSign) {
  store::Records other = stored_records();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    trial_of(other, "mlm", seed).metrics["held_out.loss"] += .01 * static_cast<double>(seed);
  const StoreDifference there = difference_between(stored_records(), other);
  const StoreDifference back = difference_between(other, stored_records());
  ASSERT_EQ(there.metrics.size(), 1);
  ASSERT_EQ(back.metrics.size(), 1);
  EXPECT_DOUBLE_EQ(*there.metrics[0].over_seeds.mean, -*back.metrics[0].over_seeds.mean);
  EXPECT_DOUBLE_EQ(there.metrics[0].size, back.metrics[0].size);
}

TEST(StoreDifference, PlansDifferInSettingsAndIds) {
  store::Records other = stored_records();
  other.plan["experiment"] = "renamed";
  for (Json& trial : other.plan["trials"]) trial["config"]["train"]["batch"] = 32;
  trial_of(other, "mlm", 1).id = "new";
  other.plan["trials"][0]["probes"][0]["id"] = "m-new";
  const StoreDifference difference = difference_between(stored_records(), other);
  EXPECT_THAT(difference.plan,
              ElementsAre("experiment: small -> renamed", "train.batch: 16 -> 32 (all arms)",
                          "ids of 1 of 12 trials that both have",
                          "ids of what is measured on 1 of 12 trials that both have"));
  EXPECT_TRUE(difference.same_numbers());
  EXPECT_FALSE(difference.equal());
}

TEST(StoreDifference, ProgramAndMachineAreApartAndProcessesAreNot) {
  store::Records other = stored_records();
  for (store::TrialRecord& trial : other.trials)
    trial.provenance = {{"commit", "def"}, {"host", "there"}, {"process", 4711}};
  const StoreDifference difference = difference_between(stored_records(), other);
  ASSERT_EQ(difference.program.size(), 1);
  EXPECT_EQ(difference.program[0].fact, "commit");
  EXPECT_THAT(difference.program[0].first, ElementsAre("\"abc\""));
  ASSERT_EQ(difference.machine.size(), 1);
  EXPECT_EQ(difference.machine[0].fact, "host");
  EXPECT_THAT(difference.plan, IsEmpty());
  EXPECT_FALSE(difference.equal());
}

TEST(StoreDifference, WhatOneLacksIsListed) {
  store::Records other = stored_records();
  other.trials.erase(other.trials.begin());  // clm, seed 1
  trial_of(other, "mlm", 2).metrics.erase("topic.bayes");
  trial_of(other, "mlm", 3).outcome = "failed";
  const StoreDifference difference = difference_between(stored_records(), other);
  EXPECT_THAT(difference.only_first, ElementsAre("trials of arm 'clm': seed 1",
                                                 "metric topic.bayes of arm 'mlm': 1 trial"));
  EXPECT_THAT(difference.only_second, IsEmpty());
  ASSERT_EQ(difference.outcomes.size(), 1);
  EXPECT_EQ(difference.outcomes[0].second, "failed");
  const StoreDifference back = difference_between(other, stored_records());
  EXPECT_EQ(back.only_second, difference.only_first);
}

TEST(StoreDifference, WhatWasMeasuredOnTheWayCounts) {
  store::Records first =
      with_dynamics({10, 30}, [](std::int64_t step) { return 1. / static_cast<double>(step); });
  first.plan["trials"] = Json::array();
  store::Records second = first;
  trial_of(second, "mlm", 2).on_the_way[1].metrics["held_out.excess"] += 1e-15;
  StoreDifference difference = difference_between(first, first);
  EXPECT_EQ(difference.points, 6 * 2 * (3 + 2));
  EXPECT_TRUE(difference.same_numbers());
  difference = difference_between(first, second);
  EXPECT_EQ(difference.equal_points, difference.points - 1);
  EXPECT_EQ(difference.equal_values, difference.values);
  EXPECT_FALSE(difference.same_numbers());
  EXPECT_THAT(difference_text({"a", "b"}, difference), HasSubstr(", 59 of 60 on the way, "));
}

TEST(StoreDifference, CurvesAndSamplesCount) {
  store::Records other = stored_records();
  testing_support::edit_point(trial_of(other, "mlm", 1).curve, 3,
                              [](store::CurvePoint& point) { point.loss += 1e-15; });
  trial_of(other, "mlm", 2).samples[0].text = "other";
  const StoreDifference difference = difference_between(stored_records(), other);
  EXPECT_EQ(difference.equal_curves, 11);
  EXPECT_EQ(difference.equal_samples, 11);
  EXPECT_FALSE(difference.same_numbers());
}

TEST(DifferenceText, HasEverySectionAndTheJsonEveryNumber) {
  store::Records other = stored_records();
  other.plan["experiment"] = "renamed";
  for (store::TrialRecord& trial : other.trials) {
    trial.provenance["commit"] = "def";
    trial.metrics["held_out.loss"] += .5;
  }
  const StoreDifference difference = difference_between(stored_records(), other);
  const std::string text = difference_text({"a", "b"}, difference);
  for (const char* part : {"a -> b", "experiment: small -> renamed", "commit: \"abc\" -> \"def\"",
                           "48 of 60 values", "held_out.loss", "0 of 6"})
    EXPECT_THAT(text, HasSubstr(part));
  const Json json = difference_json({"a", "b"}, difference);
  EXPECT_EQ(json["metrics"].size(), 2);
  EXPECT_NEAR(json["metrics"][0]["mean"].get<double>(), .5, 1e-12);
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["equal_values"], 48);
}

TEST(DifferenceText, OfHostileRecordsControlsNothing) {
  store::Records first = hostile_records(), second = hostile_records();
  first.plan["trials"] = second.plan["trials"] = Json::array();
  for (store::TrialRecord& trial : second.trials) trial.metrics[kHostile] += 1;
  second.plan["experiment"] = kHostile + "2";
  const std::string text = difference_text({kHostile, "b"}, difference_between(first, second));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

}  // namespace
}  // namespace ablate::reports
