#include "reports/analysis/comparisons/sensitivity.h"
#include "tests/reports/found.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The small experiment with these excesses of masked LM.
store::Records with_excesses(const std::vector<double>& excesses) {
  store::Records records = small_records();
  for (std::size_t i = 0; i < excesses.size(); ++i)
    trial_of(records, "mlm", static_cast<std::int64_t>(i + 1)).metrics["held_out.excess"] =
        excesses[i];
  return records;
}

Table table_of(const store::Records& records) {
  const Analysis analysis = analyse(records);
  return shown<Table>(analysis, "sensitivity");
}

TEST(Sensitivity, IsOfThePrimaryDifferencesAlone) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const auto all = sensitivity_of(analysis);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].difference, analysis.difference("mlm", "held_out.excess"));
}

TEST(Sensitivity, AgreesWithTheReference) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const Sensitivity seen = sensitivity_of(analysis)[0];
  // SciPy 1.10.1, of .49 .51 .52 .49 .48 .52.
  EXPECT_NEAR(*seen.t_p, 1.0247257228280953e-08, 1e-16);
  EXPECT_NEAR(*seen.d_z, 29.126001614321364, 1e-9);
  EXPECT_EQ(*seen.wilcoxon_p, .03125);
  EXPECT_NEAR(*seen.variance_ratio, 4.5056179775280825, 1e-9);
  EXPECT_EQ(*seen.probability_better, 0) << "a higher excess is worse";
  EXPECT_GT(seen.bca->low, .48);
  EXPECT_LT(seen.bca->high, .52);
}

TEST(Sensitivity, SaysNothingWithoutSpreadOrPairs) {
  const store::Records equal = with_excesses({.31, .34, .32, .30, .33, .35});
  const Analysis analysis = analyse(equal);
  const Sensitivity seen = sensitivity_of(analysis)[0];
  EXPECT_FALSE(seen.t_p || seen.d_z || seen.variance_ratio);
  EXPECT_TRUE(seen.wilcoxon_p);
  store::Records none = small_records();
  for (store::TrialRecord& trial : none.trials)
    if (trial.arm == "mlm") trial.outcome = "failed";
  EXPECT_TRUE(sensitivity_of(analyse(none)).empty());
  EXPECT_TRUE(table_of(none).rows.empty());
}

TEST(Sensitivity, LeavesOutSeedsWithoutAPair) {
  store::Records records = small_records();
  trial_of(records, "clm", 2).outcome = "failed";
  const Analysis analysis = analyse(records);
  const Sensitivity seen = sensitivity_of(analysis)[0];
  EXPECT_EQ(seen.difference->over_seeds.n, 5);
  EXPECT_EQ(*seen.wilcoxon_p, .0625);
}

TEST(Sensitivity, IsTheSameEachTime) {
  store::Records records = small_records();
  for (std::int64_t seed = 7; seed <= 12; ++seed) {  // more than are enumerated
    records.trials.push_back(small_trial("clm", seed, .2));
    records.trials.push_back(small_trial("mlm", seed, .6 + .01 * static_cast<double>(seed)));
  }
  const Analysis analysis = analyse(records);
  EXPECT_EQ(sensitivity_of(analysis)[0].bca->low, sensitivity_of(analysis)[0].bca->low);
}

TEST(SensitivityTable, SaysWhereTestsDisagree) {
  const auto note = [](const store::Records& records) { return table_of(records).notes.back(); };
  EXPECT_THAT(note(small_records()), HasSubstr("agree on every row"));
  store::Records few = small_records();
  std::erase_if(few.trials, [](const store::TrialRecord& trial) { return trial.seed > 3; });
  EXPECT_THAT(note(few),
              HasSubstr("With so few pairs no p of the sign-flip test can be below 0.05"));
  // One seed against five: the sign-flip test sees .0625 or more, the bootstrap excludes 0.
  EXPECT_THAT(note(with_excesses({.30, .35, .32, .33, .31, .245})),
              HasSubstr("do not all agree on mlm"));
}

TEST(SensitivityTable, HasARowForEachPrimaryDifference) {
  const store::Records records = small_records();
  const Table table = table_of(records);
  std::vector<std::string> titles, texts;
  for (const Column& column : table.columns) titles.push_back(column.title);
  EXPECT_THAT(titles,
              ElementsAre("arm", "pairs", "difference", "95 % BCa interval", "sign-flip p",
                          "Wilcoxon p", "paired t p", "d_z", "P(better)", "variance ratio"));
  ASSERT_EQ(table.rows.size(), 1u);
  for (const Cell& cell : table.rows[0].cells) texts.push_back(cell.text);
  EXPECT_THAT(texts, ElementsAre("mlm", "6", "", "0.490 to 0.513", "0.031", "0.031", "<0.001",
                                 "29.1", "0", "4.51"));
}

}  // namespace
}  // namespace ablate::reports
