// The answer and the main table as a terminal shows them.

#include "reports/tables/main_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reports/analysis/answer/answer.h"
#include "reports/report.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MainTable, OfTwoArmsHasARowAMetric) {
  EXPECT_EQ(main_table_text(small_records()),
            R"(In held_out.excess, mlm is worse than clm: higher by 0.502 ± 0.018 nats/target.

nats/target, lower is better; p = 0.031; paired over 6 seeds, exact sign-flip test.

small: 6 completed trials per arm

| metric                | unit        |             mlm |  clm (baseline) |       difference |     p | verdict              |
|-----------------------|-------------|----------------:|----------------:|-----------------:|------:|----------------------|
| **held_out.excess ↓** | nats/target |   0.727 ± 0.033 |   0.225 ± 0.020 |    0.502 ± 0.018 | 0.031 | worse                |
| held_out.loss ↓       | nats/target |   2.727 ± 0.033 |   2.225 ± 0.020 |                  |       | not comparable       |
| held_out.optimum      | nats/target |           2 ± 0 |           2 ± 0 |                  |       |                      |
| topic.accuracy ↑      | fraction    | 0.8183 ± 0.0082 | 0.9437 ± 0.0049 | -0.1254 ± 0.0045 |       | exploratory, q 0.031 |

- Floors, ceilings and metrics without a better direction are in the tables further down.
- Mean ± half-width of the 95 % t-interval over seeds. Arrows: ↓ lower is better, ↑ higher is better.
- Differences are arm − baseline, paired by seed; p: exact sign-flip test of held_out.excess.
- The smallest possible p with 6 seeds: 0.031.
)");
}

TEST(MainTable, HasFailuresBelowIt) {
  store::Records records = small_records();
  trial_of(records, "mlm", 3).outcome = "diverged";
  trial_of(records, "mlm", 3).message = "loss was nan";
  const auto files = files_of(records);
  EXPECT_THAT(main_table_text(records), HasSubstr("mlm: 1 of 6 trials diverged (seed 3)"));
  EXPECT_THAT(main_table_text(records), HasSubstr("inconclusive"));
  for (const char* name : {"report.md", "report.html"}) {
    EXPECT_THAT(files.at(name), HasSubstr("mlm, seed 3, diverged: loss was nan")) << name;
  }
  EXPECT_THAT(files.at("trials.csv"), HasSubstr("small,mlm,false,masked_lm,3,mlm-3,diverged,"));
}

TEST(MainTable, SaysWhyAnArmHasNoPrimaryMetric) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("pairs", false, "masked_lm", .5));
  records.plan["metrics"]["pairs"] = Json::array();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("pairs", seed, .1));
    records.trials.back().metrics.clear();
  }
  EXPECT_THAT(main_table_text(records),
              HasSubstr("- Blank: the objective or the phases of that arm "
                        "do not yield the metric.\n"));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "pairs") trial.absent["held_out"] = "it has no format";
  EXPECT_THAT(main_table_text(records),
              HasSubstr("- No held_out.excess of pairs: it has no format.\n"));
}

TEST(MainTable, SaysWhichCompletedTrialsLackAMetric) {
  store::Records records = small_records();
  trial_of(records, "mlm", 2).metrics["held_out.excess"] = HUGE_VAL;
  trial_of(records, "mlm", 4).metrics.erase("held_out.excess");
  trial_of(records, "clm", 4).metrics.erase("topic.bayes");
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("- mlm: 2 of 6 completed trials have no finite held_out.excess "
                              "(seeds 2, 4)\n"));
  EXPECT_THAT(text,
              HasSubstr("- clm: 1 of 6 completed trials has no finite topic.bayes (seed 4)\n"));
  trial_of(records, "clm", 4).absent["topic"] = "it has too few documents";
  EXPECT_THAT(main_table_text(records), Not(HasSubstr("no finite topic.bayes")))
      << "the table of topics says why";
}

TEST(MainTable, SaysHowManySamplesAreLeftOut) {
  store::Records records = small_records();
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(
        metric_row("generation.log_probability", "nats/token", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["generation.log_probability"] = -3;
    trial.metrics["generation.impossible"] = 0;
  }
  EXPECT_THAT(main_table_text(records), Not(HasSubstr("leaves out")));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.metrics["generation.impossible"] = .54;
  EXPECT_THAT(main_table_text(records),
              HasSubstr("- generation.log_probability leaves out the samples that the language "
                        "cannot generate: mlm 54 %.\n"));
}

TEST(MainTable, SaysHowManySamplesOfASamplerAreLeftOut) {
  store::Records records = small_records();
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(
        metric_row("generation.log_probability_gibbs", "nats/token", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["generation.log_probability_gibbs"] = -3;
    trial.metrics["generation.impossible"] = .5;
    trial.metrics["generation.impossible_gibbs"] = trial.arm == "mlm" ? .25 : 0;
  }
  EXPECT_THAT(main_table_text(records),
              HasSubstr("- generation.log_probability_gibbs leaves out the samples that the "
                        "language cannot generate: mlm 25 %.\n"));
}

TEST(MainTable, MoreArmsHaveARowEach) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("mlm[rate=0.5]", false, "masked_lm", 0.5));
  records.plan["metrics"]["mlm[rate=0.5]"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("mlm[rate=0.5]", seed, .1));
  }
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("| clm (baseline) |   6 |"));
  EXPECT_THAT(text, HasSubstr("p (Holm)"));
  EXPECT_THAT(text,
              HasSubstr("mlm (higher by 0.502 ± 0.018 nats/target) and mlm[rate=0.5] (lower by "
                        "0.125 ± 0.020 nats/target) cannot be told apart from clm with 6 seeds."));
  EXPECT_THAT(text, HasSubstr("too few seeds for any adjusted p below 0.05, which takes 7."));
}

TEST(MainTable, LeavesTheSizesOfManyDifferencesToTheTable) {
  store::Records records = with_sweep("mlm", {.1, .15, .3});
  EXPECT_THAT(answer(analyse(records)),
              HasSubstr("Undecided: in held_out.excess, none of the 4 "
                        "other arms can be told apart from clm with 6 "
                        "seeds (means higher by 0.28 to 0.5 nats/target)."));
  trial_of(records, "mlm", 3).outcome = "diverged";
  EXPECT_THAT(
      answer(analyse(records)),
      HasSubstr("mlm has no verdict against clm (higher by 0.498 ± 0.020 nats/target; 1 trial "
                "diverged against 0 of the baseline, so the remaining seeds are not a fair "
                "sample); mlm[rate=0.1], mlm[rate=0.15] and mlm[rate=0.3] cannot be told "
                "apart from clm with 6 seeds (means higher by 0.28 to 0.3 nats/target)."));
}

TEST(MainTable, CountsArmsOfWhichTheSameIsSaidWhereTheirNamesWouldFillASentence) {
  store::Records records = with_sweep("mlm", {.1, .12, .15, .3, .5});
  trial_of(records, "mlm", 3).outcome = "diverged";
  EXPECT_THAT(answer(analyse(records)),
              HasSubstr("; 5 arms cannot be told apart from clm with 6 seeds (means higher by "));
}

TEST(MainTable, GivesTheSizesOfTwoArmsOfWhichTheSameIsSaid) {
  store::Records records = with_sweep("mlm", {.1, .15, .3});
  for (const char* arm : {"mlm", "mlm[rate=0.1]"}) trial_of(records, arm, 3).outcome = "diverged";
  const std::string said = answer(analyse(records));
  EXPECT_THAT(said, HasSubstr("mlm[rate=0.15] (higher by "));
  EXPECT_THAT(said, Not(HasSubstr("means")));
}

TEST(MainTable, NamesEachReasonForNoVerdictWithItsOwnArms) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("mlm[rate=0.5]", false, "masked_lm", 0.5));
  records.plan["metrics"]["mlm[rate=0.5]"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed)
    records.trials.push_back(small_trial("mlm[rate=0.5]", seed, .1));
  trial_of(records, "mlm[rate=0.5]", 3).outcome = "diverged";
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("mlm[rate=0.5] (lower by 0.126 ± 0.026 nats/target) has no verdict "
                              "against clm (1 trial diverged"));
  EXPECT_THAT(text, HasSubstr("mlm (higher by 0.502 ± 0.018 nats/target) cannot be told apart"));
}

TEST(MainTable, ShowsThePOfTheTestThatDecides) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.6;  // mlm differs by .502 ± .018
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("is equivalent to clm within ±0.6: the difference is 0.502 ± 0.018 "
                              "nats/target."));
  EXPECT_THAT(text, HasSubstr("two one-sided t-tests: p \\< 0.001; of a difference: p = 0.031;"));
  EXPECT_THAT(text, HasSubstr("|     p | p equivalent | verdict"));
  EXPECT_THAT(text, HasSubstr("| 0.031 |      \\<0.001 | equivalent"));
  EXPECT_THAT(text, HasSubstr("- p equivalent: two one-sided t-tests against ±0.6."));
  const Json json = json_of(records);
  const auto primary = std::find_if(json["differences"].begin(), json["differences"].end(),
                                    [](const Json& one) { return one["primary"] == true; });
  EXPECT_LT((*primary)["p_equivalent"].get<double>(), .001);
}

/// The small experiment with `seeds` seeds.
store::Records over_seeds(std::int64_t seeds) {
  store::Records records = small_records();
  for (std::int64_t seed = 7; seed <= seeds; ++seed) {
    records.trials.push_back(small_trial("clm", seed, .2 + .001 * static_cast<double>(seed)));
    records.trials.push_back(small_trial("mlm", seed, .7 + .002 * static_cast<double>(seed)));
  }
  return records;
}

TEST(MainTable, SaysWhereManyDifferencesAreRounded) {
  const std::string note =
      "- With more than 32 seeds, p is that of the differences rounded to multiples of 1/65536 of "
      "the sum of their sizes.\n";
  const std::string some = main_table_text(over_seeds(32));
  EXPECT_THAT(some, HasSubstr("paired over 32 seeds, exact sign-flip test."));
  EXPECT_THAT(some, Not(HasSubstr("rounded")));
  const store::Records records = over_seeds(33);
  const std::string many = main_table_text(records);
  EXPECT_THAT(many, HasSubstr("paired over 33 seeds, sign-flip test."));
  EXPECT_THAT(many, HasSubstr("p: sign-flip test of held_out.excess.\n" + note));
  const std::string method = files_of(records).at("report.md");
  EXPECT_THAT(method, HasSubstr("The test is the two-sided sign-flip permutation test of"));
  EXPECT_THAT(method, HasSubstr("by Holm's method. With more than 32 seeds, p is that of"));
}

TEST(MainTable, HasAnAnswerForExperimentsThatCannotHaveOne) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "held_out.loss";
  EXPECT_THAT(main_table_text(records), HasSubstr("mlm is not comparable with clm"));
  records.plan["analysis"].erase("primary");
  EXPECT_THAT(main_table_text(records), HasSubstr("declared no primary metric"));
  records.plan["arms"][0]["baseline"] = false;
  EXPECT_THAT(main_table_text(records), HasSubstr("No arm is the baseline"));
}

}  // namespace
}  // namespace ablate::reports
