// What may be said of an experiment: laws of estimates, differences and verdicts.

#include "reports/analysis/analysis.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/rng.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const Difference& excess_of(const Analysis& analysis, const std::string& arm) {
  return *analysis.difference(arm, "held_out.excess");
}

/// Records of `arms` arms and a baseline, with the same differences in each.
store::Records family(int arms, const std::vector<double>& differences) {
  store::Records records = small_records();
  records.trials.clear();
  records.plan["arms"] = Json::array({plan_arm("base", true, "masked_lm", 0)});
  records.plan["metrics"] = {{"base", small_metrics()}};
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const auto seed = static_cast<std::int64_t>(i);
    records.trials.push_back(small_trial("base", seed, 0.5 + 0.01 * static_cast<double>(i)));
  }
  for (int arm = 0; arm < arms; ++arm) {
    const std::string name = fmt::format("arm{}", arm);
    records.plan["arms"].push_back(plan_arm(name, false, "masked_lm", 0.1 * (arm + 1)));
    records.plan["metrics"][name] = small_metrics();
    for (std::size_t i = 0; i < differences.size(); ++i) {
      const double excess = 0.5 + 0.01 * static_cast<double>(i) + differences[i];
      records.trials.push_back(small_trial(name, static_cast<std::int64_t>(i), excess));
    }
  }
  return records;
}

TEST(Analysis, EstimatesAgreeWithTheReference) {
  store::Records records = small_records();
  records.trials.resize(0);
  const std::vector<double> base = {3.512, 3.498, 3.527, 3.505, 3.519};
  const std::vector<double> arm = {3.471, 3.489, 3.494, 3.480, 3.487};
  for (std::int64_t seed = 0; seed < 5; ++seed) {
    const auto i = static_cast<std::size_t>(seed);
    records.trials.push_back(small_trial("clm", seed, base[i]));
    records.trials.push_back(small_trial("mlm", seed, arm[i]));
  }
  const Analysis analysis = analyse(records);
  const Difference& difference = excess_of(analysis, "mlm");
  EXPECT_NEAR(*difference.over_seeds.mean, -.028, 1e-12);
  EXPECT_NEAR(difference.over_seeds.interval->low, -.04295161446945187, 1e-12);
  EXPECT_NEAR(difference.over_seeds.interval->high, -.013048385530548177, 1e-12);
  EXPECT_EQ(difference.p, .0625);
  EXPECT_EQ(difference.verdict, statistics::Verdict::inconclusive);  // five seeds cannot
}

TEST(Analysis, JudgesThePrimaryMetricByItsDirection) {
  store::Records records = small_records();
  EXPECT_EQ(excess_of(analyse(records), "mlm").verdict, statistics::Verdict::worse);
  records.plan["analysis"]["primary"] = "topic.accuracy";
  EXPECT_EQ(analyse(records).difference("mlm", "topic.accuracy")->verdict,
            statistics::Verdict::worse);
}

TEST(Analysis, SwappingTheBaselineTurnsEverySign) {
  store::Records records = small_records();
  const Analysis one = analyse(records);
  records.plan["arms"][0]["baseline"] = false;
  records.plan["arms"][1]["baseline"] = true;
  const Analysis other = analyse(records);
  ASSERT_EQ(one.differences.size(), other.differences.size());
  for (std::size_t i = 0; i < one.differences.size(); ++i) {
    const Difference& a = one.differences[i];
    const Difference& b = other.differences[i];
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(a.over_seeds.mean.has_value(), b.over_seeds.mean.has_value());
    if (!a.over_seeds.mean) continue;
    EXPECT_DOUBLE_EQ(*a.over_seeds.mean, -*b.over_seeds.mean);
    EXPECT_DOUBLE_EQ(a.over_seeds.interval->low, -b.over_seeds.interval->high);
  }
  EXPECT_EQ(excess_of(one, "mlm").verdict, statistics::Verdict::worse);
  EXPECT_EQ(excess_of(other, "clm").verdict, statistics::Verdict::better);
}

TEST(Analysis, DoesNotDependOnTheOrderOfTrials) {
  store::Records records = small_records();
  const Json expected = json_of(records);
  Rng rng(1);
  for (int run = 0; run < 5; ++run) {
    for (std::size_t i = records.trials.size(); i > 1; --i) {
      std::swap(records.trials[i - 1],
                records.trials[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(i)))]);
    }
    EXPECT_EQ(json_of(records), expected);
  }
}

TEST(Analysis, AFailedTrialIsCountedAndItsSeedIsNull) {
  store::Records records = small_records();
  trial_of(records, "mlm", 3).outcome = "failed";
  const Json json = json_of(records);
  const Json& mlm = json["arms"][1];
  EXPECT_EQ(mlm["trials"], 6);
  EXPECT_EQ(mlm["failed"], 1);
  EXPECT_EQ(mlm["metrics"]["held_out.excess"]["n"], 5);
  EXPECT_TRUE(mlm["metrics"]["held_out.excess"]["values"][2].is_null());
  EXPECT_EQ(json["differences"][2]["n"], 5);
}

TEST(Analysis, ANumberThatIsNotFiniteIsNoValue) {
  store::Records records = small_records();
  trial_of(records, "mlm", 2).metrics["held_out.excess"] = kNaN;
  trial_of(records, "mlm", 4).metrics["held_out.excess"] = HUGE_VAL;
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.arms[1].metrics.at("held_out.excess").n, 4);
  EXPECT_EQ(analysis.arms[1].failed, 0);
}

TEST(Analysis, UnequalDivergenceForbidsAVerdict) {
  store::Records records = family(1, {.5, .5, .5, .5, .5, .5, .5, .5});
  ASSERT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::worse);
  trial_of(records, "arm0", 0).outcome = "diverged";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(excess_of(analysis, "arm0").verdict, statistics::Verdict::inconclusive);
  EXPECT_THAT(excess_of(analysis, "arm0").note, testing::HasSubstr("1 trial diverged against 0"));
}

TEST(Analysis, HolmCountsEveryDeclaredComparison) {
  const std::vector<double> eight(8, .5);
  store::Records records = family(4, eight);
  EXPECT_EQ(analyse(records).comparisons, 4);
  EXPECT_EQ(excess_of(analyse(records), "arm2").p_adjusted, 4 * 2.0 / 256);
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm == "arm3") trial.outcome = "failed";  // declared before it failed: still counted
  }
  EXPECT_EQ(analyse(records).comparisons, 4);
  EXPECT_EQ(excess_of(analyse(records), "arm2").p_adjusted, 4 * 2.0 / 256);
  EXPECT_FALSE(excess_of(analyse(records), "arm3").p_adjusted);
  records.plan["analysis"]["correction"] = "none";
  EXPECT_EQ(excess_of(analyse(records), "arm2").p_adjusted, 2.0 / 256);
}

TEST(Analysis, NoDifferenceThatMattersIsAFinding) {
  store::Records records = family(1, {.002, -.001, .001, -.002, .001, -.001});
  EXPECT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::inconclusive);
  records.plan["analysis"]["smallest_effect"] = 0.05;
  EXPECT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::equivalent);
  records.plan["analysis"]["smallest_effect"] = 0.001;
  EXPECT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::inconclusive);
}

TEST(Analysis, ASureDifferenceTooSmallToMatterIsEquivalent) {
  store::Records records = family(1, {.0021, .0019, .0020, .0021, .0019, .0020});
  EXPECT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::worse);
  records.plan["analysis"]["smallest_effect"] = 0.05;
  EXPECT_EQ(excess_of(analyse(records), "arm0").verdict, statistics::Verdict::equivalent);
}

TEST(Analysis, ALossTooSmallToMatterIsSaidWhereNothingElseIs) {
  store::Records records = family(1, {-.05, -.02, .01, -.06, -.03, .005});
  EXPECT_FALSE(excess_of(analyse(records), "arm0").p_non_inferior);
  records.plan["analysis"]["smallest_effect"] = 0.02;
  const Analysis analysis = analyse(records);
  const Difference& difference = excess_of(analysis, "arm0");
  EXPECT_EQ(difference.verdict, statistics::Verdict::inconclusive);
  EXPECT_TRUE(difference.non_inferior);
  EXPECT_LT(*difference.p_non_inferior, .05);
  EXPECT_THAT(files_of(records).at("report.md"),
              testing::HasSubstr("inconclusive, but not worse by more than 0.02"));
  records.plan["analysis"]["smallest_effect"] = 0.001;
  EXPECT_FALSE(excess_of(analyse(records), "arm0").non_inferior);
  store::Records worse = family(1, {.05, .02, -.01, .06, .03, -.005});
  worse.plan["analysis"]["smallest_effect"] = 0.02;
  EXPECT_FALSE(excess_of(analyse(worse), "arm0").non_inferior) << "lower is better";
}

TEST(Analysis, LossesOfDifferentObjectivesAreNotDifferenced) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const Difference& loss = *analysis.difference("mlm", "held_out.loss");
  EXPECT_EQ(loss.verdict, statistics::Verdict::incomparable);
  EXPECT_FALSE(loss.over_seeds.mean);
  EXPECT_FALSE(loss.p);
}

TEST(Analysis, ComparesAsFarAsTheMetricSays) {
  store::Records records = family(1, {.1, .1, .1, .1, .1, .1});  // one objective at two settings
  const auto comparable = [&](const std::string& across) {
    for (auto& rows : records.plan["metrics"]) rows[0]["comparable_across"] = across;
    return analyse(records).difference("arm0", "held_out.loss")->verdict !=
           statistics::Verdict::incomparable;
  };
  EXPECT_TRUE(comparable("all arms"));
  EXPECT_TRUE(comparable("same objective"));
  EXPECT_FALSE(comparable("same objective and setting"));
  EXPECT_FALSE(comparable("a word of a later version"));
  records.plan["arms"][1]["config"] = records.plan["arms"][0]["config"];
  EXPECT_TRUE(comparable("same objective and setting"));
}

TEST(Analysis, OtherMetricsAreExploratory) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const Difference& accuracy = *analysis.difference("mlm", "topic.accuracy");
  EXPECT_TRUE(accuracy.p);
  EXPECT_FALSE(accuracy.p_adjusted);
  EXPECT_EQ(accuracy.verdict, statistics::Verdict::inconclusive);
  EXPECT_EQ(accuracy.note, "exploratory");
}

// Three of four arms have the least p of six seeds, 1/32, in accuracy, and one has no small one.
// Losses and references are not compared, and the primary metric has a family of its own.
TEST(Analysis, BoundsTheFalseFindingsAmongExploratoryDifferences) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.difference("mlm", "topic.accuracy")->q, 1.0 / 32) << "alone in its family";
  EXPECT_FALSE(analysis.difference("mlm", "held_out.excess")->q);
  EXPECT_FALSE(analysis.difference("mlm", "topic.bayes")->q);

  store::Records four = family(4, {.1, .1, .1, .1, .1, .1});
  for (std::int64_t seed = 0; seed < 6; ++seed)
    trial_of(four, "arm3", seed).metrics["topic.accuracy"] = seed % 2 == 0 ? .80 : .95;
  const Analysis several = analyse(four);
  std::vector<double> p, q;
  for (const Difference& difference : several.differences)
    if (difference.q) {
      p.push_back(*difference.p);
      q.push_back(*difference.q);
    }
  EXPECT_EQ(q, statistics::benjamini_hochberg(p));
  ASSERT_EQ(q.size(), 4u);
  EXPECT_DOUBLE_EQ(q[0], 4.0 / 3 / 32);
  EXPECT_GT(q[3], .5);
}

TEST(Analysis, AMetricWithoutDirectionMakesNoArmBetter) {
  store::Records records = small_records();
  for (auto& rows : records.plan["metrics"]) rows[2]["better"] = "neither";
  EXPECT_EQ(excess_of(analyse(records), "mlm").verdict, statistics::Verdict::inconclusive);
}

TEST(Analysis, OneSeedHasNoIntervalAndNoVerdict) {
  store::Records records = small_records();
  records.trials.resize(2);
  const Analysis analysis = analyse(records);
  EXPECT_FALSE(excess_of(analysis, "mlm").over_seeds.interval);
  EXPECT_EQ(excess_of(analysis, "mlm").p, 1);
  EXPECT_EQ(excess_of(analysis, "mlm").verdict, statistics::Verdict::inconclusive);
  EXPECT_TRUE(json_of(records)["arms"][0]["metrics"]["held_out.excess"]["ci"].is_null());
}

TEST(Analysis, PairsBySeedAlone) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm == "mlm") trial.seed += 2;  // seeds 3..8 against 1..6
  }
  const Analysis analysis = analyse(records);
  const Difference& difference = excess_of(analysis, "mlm");
  EXPECT_EQ(difference.over_seeds.n, 4);
  EXPECT_NEAR(*difference.over_seeds.values[0], .70 - .22, 1e-12);  // both of seed 3
}

TEST(Analysis, KeepsAMetricThatThePlanDoesNotDeclare) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) trial.metrics["later.probe"] = 1;
  const Analysis analysis = analyse(records);
  EXPECT_EQ(analysis.metrics.back().name, "later.probe");
  EXPECT_EQ(analysis.difference("mlm", "later.probe")->verdict, statistics::Verdict::incomparable);
}

TEST(Analysis, AnExperimentWithoutBaselineOrPrimaryHasEstimates) {
  store::Records records = small_records();
  records.plan["analysis"].erase("primary");
  EXPECT_EQ(analyse(records).comparisons, 0);
  records.plan["arms"][0]["baseline"] = false;
  EXPECT_TRUE(analyse(records).differences.empty());
  EXPECT_EQ(analyse(records).arms[1].metrics.at("held_out.excess").n, 6);
}

TEST(Analysis, DamagedRecordsAreRefused) {
  store::Records stranger = small_records();
  stranger.trials[0].arm = "nobody";
  EXPECT_THROW(analyse(stranger), DamagedFile);
  store::Records twice = small_records();
  twice.trials.push_back(twice.trials[0]);
  EXPECT_THROW(analyse(twice), DamagedFile);
  for (const Json& plan : {Json(), Json(3), Json::array(), Json({{"arms", 1}}),
                           Json({{"arms", {{{"name", 5}}}}}), Json({{"arms", {1, 2}}})}) {
    const store::Records records{plan, {}};
    EXPECT_THROW(analyse(records), DamagedFile) << plan;
  }
}

TEST(Analysis, JsonHasTheDocumentedKeys) {
  const store::Records records = small_records();
  const Json json = json_of(records);
  EXPECT_EQ(json["experiment"], "small");
  EXPECT_EQ(json["question"], "Which learns more?");
  const Json& arm = json["arms"][0];
  EXPECT_EQ(arm["name"], "clm");
  EXPECT_EQ(arm["baseline"], true);
  EXPECT_EQ(arm["trials"], 6);
  EXPECT_EQ(arm["failed"], 0);
  EXPECT_EQ(arm["seeds"], Json({1, 2, 3, 4, 5, 6}));
  const Json& metric = arm["metrics"]["held_out.excess"];
  EXPECT_NEAR(metric["mean"].get<double>(), .225, 1e-12);
  EXPECT_EQ(metric["ci"].size(), 2);
  EXPECT_EQ(metric["n"], 6);
  EXPECT_EQ(metric["values"].size(), 6);
  EXPECT_EQ(metric["unit"], "nats/target");
  EXPECT_EQ(metric["better"], "lower");
  EXPECT_EQ(metric["comparable_across"], "all arms");
  const Json& difference = json["differences"][2];
  EXPECT_EQ(difference["arm"], "mlm");
  EXPECT_EQ(difference["metric"], "held_out.excess");
  EXPECT_EQ(difference["p"], .03125);
  EXPECT_EQ(difference["p_adjusted"], .03125);
  EXPECT_EQ(difference["verdict"], "worse");
  EXPECT_TRUE(json["differences"][0]["mean"].is_null());
}

}  // namespace
}  // namespace ablate::reports
