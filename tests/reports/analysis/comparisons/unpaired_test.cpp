#include "reports/analysis/comparisons/unpaired.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/statistics/unpaired/welch.h"
#include "reports/analysis/compare.h"
#include "reports/formats/markdown.h"
#include "reports/tables/main_table.h"
#include "tests/reports/files.h"
#include "tests/reports/found.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> values_of(const Analysis& analysis, const std::string& arm) {
  for (const ArmResult& one : analysis.arms)
    if (one.name == arm) return present_values(one.metrics.at("held_out.excess"));
  return {};
}

TEST(Unpaired, HasNothingToSayOfArmsThatShareSeeds) {
  const store::Records paired = small_records(), half = with_own_seeds(4);
  EXPECT_TRUE(json_of(paired)["unpaired"].empty());
  EXPECT_TRUE(json_of(half)["unpaired"].empty()) << "seeds 4 to 6 are pairs";
}

TEST(Unpaired, TestsTheMeansTheRanksAndTheFamily) {
  const store::Records records = with_own_seeds(7);
  const Analysis analysis = analyse(records);
  const auto all = unpaired_differences(analysis);
  ASSERT_EQ(all.size(), 1u);
  const UnpairedDifference& seen = all[0];
  EXPECT_EQ(seen.difference, analysis.difference("mlm", "held_out.excess"));
  EXPECT_EQ(seen.n, 6);
  EXPECT_EQ(seen.of_baseline, 6);
  EXPECT_NEAR(*seen.means.mean, 3.01 / 6, 1e-12);
  EXPECT_GT(seen.means.interval->low, .45);
  EXPECT_LT(seen.means.interval->high, .55);
  EXPECT_NEAR(*seen.mann_whitney_p, 2. / 924, 1e-15) << "of the 924 orders, the two extreme ones";
  EXPECT_EQ(*seen.probability_better, 0) << "a higher excess is worse";
  EXPECT_GT(*seen.hedges_g, 10);
  // Of samples of one size, Welch's t is Student's, and with one arm Dunnett's test is that.
  const double t =
      statistics::welch_t_test(values_of(analysis, "mlm"), values_of(analysis, "clm"))->t;
  EXPECT_NEAR(*seen.dunnett_p, statistics::two_sided_t_p(t, 10), 1e-9);
}

TEST(Unpaired, DunnettCountsAllArmsThatLackPairs) {
  store::Records records = with_own_seeds(7);
  Json arm = records.plan["arms"][1];
  arm["name"] = "other";
  records.plan["arms"].push_back(arm);
  records.plan["metrics"]["other"] = records.plan["metrics"]["mlm"];
  for (std::int64_t seed = 21; seed <= 24; ++seed)
    records.trials.push_back(small_trial("other", seed, .22 + .01 * static_cast<double>(seed % 3)));
  const Analysis analysis = analyse(records);
  const auto all = unpaired_differences(analysis);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_GT(*all[1].dunnett_p, *all[1].welch_p) << "adjusted";
}

TEST(Unpaired, DecidesNoVerdictAndSaysSo) {
  const store::Records records = with_own_seeds(7);
  const Analysis analysis = analyse(records);
  const Difference& difference = *analysis.difference("mlm", "held_out.excess");
  EXPECT_EQ(difference.verdict, statistics::Verdict::inconclusive);
  EXPECT_EQ(difference.note, "it shares no seed with the baseline");
  const Table table = shown<Table>(analysis, "unpaired");
  EXPECT_EQ(table.rows.at(0).cells.at(1).text, "6, 6");
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("No verdict rests on this")));
}

TEST(Unpaired, ArmsAreSaidToHaveNoCommonSeedsOrNoData) {
  store::Records records = with_own_seeds(7);
  const Analysis apart = analyse(records);
  EXPECT_EQ(emptiness(apart, *apart.difference("mlm", "held_out.excess")), "no common seeds");
  EXPECT_THAT(answer_of(apart), HasSubstr("mlm has no seed in common with clm."));
  EXPECT_THAT(to_markdown(main_table(apart)), HasSubstr("no common seeds"));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.outcome = "failed";
  const Analysis lost = analyse(records);
  EXPECT_EQ(emptiness(lost, *lost.difference("mlm", "held_out.excess")), "no data");
  EXPECT_THAT(to_markdown(main_table(lost)), HasSubstr("no data"));
}

TEST(Unpaired, TheAnswerListsArmsWithoutCommonSeedsApart) {
  store::Records records = with_own_seeds(7);
  for (const char* name : {"other", "third"}) {
    Json arm = records.plan["arms"][1];
    arm["name"] = name;
    records.plan["arms"].push_back(arm);
    records.plan["metrics"][name] = records.plan["metrics"]["mlm"];
    for (std::int64_t seed = 1; seed <= 6; ++seed)
      records.trials.push_back(small_trial(name, seed, .5 + .01 * static_cast<double>(seed)));
  }
  const Analysis analysis = analyse(records);
  EXPECT_THAT(answer_of(analysis), HasSubstr("; mlm has no seed in common with clm."));
}

TEST(Unpaired, WithoutASpreadTheRankTestIsLeft) {
  store::Records records = with_own_seeds(7);
  for (store::TrialRecord& trial : records.trials)
    trial.metrics["held_out.excess"] = trial.arm == "mlm" ? .5 : .25;
  const Analysis analysis = analyse(records);
  const UnpairedDifference seen = unpaired_differences(analysis).at(0);
  EXPECT_FALSE(seen.welch_p || seen.dunnett_p || seen.means.interval || seen.hedges_g);
  EXPECT_LT(*seen.mann_whitney_p, .05);
}

TEST(Unpaired, IsInEveryFormat) {
  const store::Records records = with_own_seeds(7);
  const auto files = files_of(records);
  EXPECT_THAT(files.at("report.md"), HasSubstr("share no seeds with the baseline"));
  EXPECT_THAT(files.at("report.html"), HasSubstr("share no seeds with the baseline"));
  EXPECT_THAT(files.at("paper/unpaired.tex"), HasSubstr("mlm"));
  EXPECT_THAT(files.at("unpaired.csv"), HasSubstr("small,mlm,held_out.excess,6,6,"));
  EXPECT_EQ(Json::parse(files.at("report.json"))["unpaired"][0]["n_baseline"], 6);
}

}  // namespace
}  // namespace ablate::reports
