// Which swept arm is ahead, and where it is overtaken.

#include "reports/analysis/sweeps/crossings.h"
#include "tests/reports/found.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

/// Families "one" and "two" at rates .1, .2 and .4. The excess of "one" is .5 - rate; that of "two"
/// is `two` at each rate. Seeds differ by as much in both.
store::Records two_families(const std::vector<double>& two) {
  store::Records records = small_records();
  const std::vector<double> rates = {.1, .2, .4};
  for (const char* family : {"one", "two"})
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const std::string arm = fmt::format("{}[rate={}]", family, rates[i]);
      const bool first = family == std::string("one");
      records.plan["arms"].push_back(
          plan_arm(arm, false, first ? "masked_lm" : "masked_diffusion", rates[i]));
      records.plan["metrics"][arm] = small_metrics();
      for (std::int64_t seed = 1; seed <= 6; ++seed)
        records.trials.push_back(small_trial(
            arm, seed, (first ? .5 - rates[i] : two[i]) + .01 * static_cast<double>(seed)));
    }
  return records;
}

const SweptPair* pair_in(const std::vector<SweptPair>& pairs, const std::string& metric) {
  for (const SweptPair& pair : pairs)
    if (pair.metric->name == metric) return &pair;
  return nullptr;
}

TEST(SweptPairs, SayWhereOneIsOvertaken) {
  const store::Records records = two_families({.5, .35, .02});  // one: .4, .3, .1
  const Analysis analysis = analyse(records);
  const auto pairs = swept_pairs(analysis);
  const SweptPair* const pair = pair_in(pairs, "held_out.excess");
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->ahead(pair->at_start), "one");  // lower is better
  EXPECT_EQ(pair->ahead(pair->at_end), "two");
  ASSERT_TRUE(pair->crossing);
  EXPECT_NEAR(*pair->crossing, .2 + .2 * .05 / .13, 1e-9);
  EXPECT_THAT(answer_of(analysis),
              testing::EndsWith(
                  " In held_out.excess, two overtakes one at objective.rate = 0.277 (95 % interval "
                  "0.277 to 0.277)."));
}

TEST(SweptPairs, SayThatNoneIsOvertaken) {
  const store::Records records = two_families({.5, .35, .12});
  const Analysis analysis = analyse(records);
  const auto pairs = swept_pairs(analysis);
  const SweptPair* const pair = pair_in(pairs, "held_out.excess");
  ASSERT_NE(pair, nullptr);
  EXPECT_FALSE(pair->crossing);
  EXPECT_EQ(pair->changes, 0u);
  EXPECT_EQ(shown<Table>(analysis, "crossings").rows.at(0).cells.at(4).text, "not up to 0.4");
  EXPECT_THAT(answer_of(analysis), Not(testing::HasSubstr("overtakes")));
}

TEST(SweptPairs, OvertakeInWordsOnlyWhereTheIntervalReachesNeitherEnd) {
  store::Records records = two_families({.41, .31, .099});  // one: .4, .3, .1
  for (store::TrialRecord& trial : records.trials)          // a sign change within the noise
    if (trial.arm.starts_with("two["))
      trial.metrics["held_out.excess"] += .05 * (trial.seed % 2 == 0 ? 1 : -1);
  const Analysis analysis = analyse(records);
  EXPECT_TRUE(pair_in(swept_pairs(analysis), "held_out.excess")->crossing);
  EXPECT_THAT(answer_of(analysis), Not(testing::HasSubstr("overtakes")));
}

/// The crossing of the excess of "two", whose seeds also differ by `noise` at each rate, in words.
std::string crossing_with(const std::vector<double>& two, const std::vector<double>& noise) {
  store::Records records = two_families(two);
  for (store::TrialRecord& trial : records.trials)
    for (std::size_t i = 0; i < noise.size(); ++i)
      if (trial.arm == fmt::format("two[rate={}]", std::vector<double>{.1, .2, .4}[i]))
        trial.metrics["held_out.excess"] += noise[i] * (trial.seed % 2 == 0 ? 1 : -1);
  const Analysis analysis = analyse(records);
  const auto pairs = swept_pairs(analysis);
  EXPECT_TRUE(pair_in(pairs, "held_out.excess")->crossing);
  return shown<Table>(analysis, "crossings").rows.at(0).cells.at(4).text;
}

TEST(SweptPairs, HaveNoCrossingWhereItIsOpenWhoIsAheadAtAnEnd) {
  const std::vector<double> two = {.41, .25, .05};  // one: .4, .3, .1
  EXPECT_EQ(crossing_with(two, {0, 0, 0}), "0.117");
  EXPECT_THAT(crossing_with(two, {.05, 0, 0}),
              testing::StartsWith("not established, at or below 0.1"));
  EXPECT_THAT(crossing_with({.5, .35, .09}, {0, 0, .05}),
              testing::StartsWith("not established, at or above 0.28"));
  EXPECT_EQ(crossing_with(two, {.5, .5, .5}), "not established");
}

TEST(SweptPairs, NameNoArmAheadWhereTheIntervalHoldsZero) {
  store::Records records = two_families({.4, .35, .02});  // one: .4, .3, .1
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "two[rate=0.1]")
      trial.metrics["held_out.excess"] += .015 * (trial.seed % 2 == 0 ? 1 : -1) + .001;
  const Analysis analysis = analyse(records);
  const Table table = shown<Table>(analysis, "crossings");
  EXPECT_EQ(table.rows.at(0).cells.at(2).text, "open (0.001 ± 0.017)");
  EXPECT_EQ(table.rows.at(0).cells.at(3).text, "two by 0.08 ± 0");
}

TEST(SweptPairs, LeaveOutSeedsThatAreNotComplete) {
  store::Records records = two_families({.5, .35, .02});
  trial_of(records, "two[rate=0.2]", 3).metrics.clear();
  const Analysis analysis = analyse(records);
  const auto pairs = swept_pairs(analysis);
  EXPECT_EQ(pair_in(pairs, "held_out.excess")->at_start.n, 5);
}

TEST(SweptPairs, AreNotMadeOfASingleFamily) {
  const store::Records records = with_sweep("mlm", {.1, .2, .4});
  const Analysis analysis = analyse(records);
  EXPECT_TRUE(swept_pairs(analysis).empty());
  EXPECT_TRUE(shown<Table>(analysis, "crossings").rows.empty());
}

TEST(SweptPairs, AreNotMadeInMetricsThatMayNotBeCompared) {
  const store::Records records = two_families({.5, .35, .02});
  const Analysis analysis = analyse(records);
  for (const SweptPair& pair : swept_pairs(analysis)) {
    EXPECT_NE(pair.metric->better, Better::neither);
    EXPECT_NE(pair.metric->comparable_across, Comparable::same_objective) << pair.metric->name;
  }
}

}  // namespace
}  // namespace ablate::reports
