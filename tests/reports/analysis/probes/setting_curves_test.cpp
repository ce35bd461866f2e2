// Curves along a setting of a probe: over seeds, what was chosen, and in the report.

#include "reports/analysis/probes/setting_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/store/index/details/probe_details.h"
#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SettingCurves, AverageOverSeedsAtEachValue) {
  const store::Records records = with_probe_curves();
  const Analysis analysis = analyse(records);
  const std::vector<SettingCurve> curves = setting_curves(analysis);
  ASSERT_EQ(curves.size(), 4u);
  const SettingCurve& rates = curves[2];  // topic.accuracy comes first in the plan
  EXPECT_EQ(rates.metric->name, "fine_tuning.accuracy");
  EXPECT_EQ(rates.arm->name, "clm");
  ASSERT_EQ(rates.points.size(), 3u);
  EXPECT_NEAR(*rates.points[2].over_seeds.mean, .6 - .03 * 4 / 6, 1e-12);
}

TEST(SettingCurves, LeaveOutTrialsThatDidNotComplete) {
  store::Records records = with_probe_curves();
  trial_of(records, "clm", 1).outcome = "failed";
  const Analysis analysis = analyse(records);
  const SettingCurve rates = setting_curves(analysis)[2];
  EXPECT_EQ(rates.points[0].over_seeds.n, 5);
  EXPECT_EQ(most_chosen(rates)->of, 5);
}

// A rate drawn from the three loses, with seed 2, 0 - (-.3 + 0 - .03) / 3 = .11.
TEST(SettingCurves, SayWhichValueMostSeedsChoseAndWhatADrawnOneLoses) {
  const store::Records records = with_probe_curves();
  const Analysis analysis = analyse(records);
  const std::vector<SettingCurve> curves = setting_curves(analysis);
  const std::optional<Chosen> chosen = most_chosen(curves[2]);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->value, 1e-3);
  EXPECT_EQ(chosen->seeds, 5);
  EXPECT_EQ(chosen->of, 6);
  EXPECT_NEAR(*sensitivity_of(curves[2]).values[1], .11, 1e-12);
  EXPECT_FALSE(most_chosen(curves[0]));
  EXPECT_FALSE(sensitivity_of(curves[0]).mean);
}

TEST(SettingCurves, AreTabledDrawnAndInTheFiles) {
  const auto files = files_of(with_probe_curves());
  EXPECT_THAT(files.at("report.md"), HasSubstr("0.001 (5 of 6)"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("By learning rate"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("By training documents"));
  EXPECT_THAT(files.at("report.html"), HasSubstr("topic.accuracy by training documents"));
  EXPECT_THAT(files.at("curves.csv"), HasSubstr("small,clm,topic.accuracy,fraction,training "
                                                "documents,64,0.6,"));
  EXPECT_THAT(files.at("curves.csv"),
              HasSubstr("small,mlm,fine_tuning.accuracy,fraction,learning rate,0.001,0.4"));
  EXPECT_TRUE(files.contains("paper/figures/along-1.tex"));
  EXPECT_THAT(files_of(small_records()).at("report.md"), Not(HasSubstr("By learning rate")));
}

// Rates are compared on the development split; of layers the test split is shown, beside the ceilings.
TEST(SettingCurves, SayOnWhichSplitTheyWereMeasured) {
  const std::string rates = files_of(with_probe_curves()).at("report.md");
  EXPECT_THAT(rates, HasSubstr("Measured on the development split"));
  EXPECT_THAT(rates, Not(HasSubstr("Measured on the test split")));
  store::Records records = with_probe_curves();
  for (store::TrialRecord& trial : records.trials)
    for (store::ProbeCurve& curve : trial.probe_curves)
      if (curve.along == "learning rate") curve.along = "layer";
  const std::string layers = files_of(records).at("report.md");
  EXPECT_THAT(layers, HasSubstr("Measured on the test split"));
  EXPECT_THAT(layers, Not(HasSubstr("Measured on the development split")));
}

TEST(StoredCurves, AreReadFromTheDetails) {
  const auto curves =
      store::probe_curves_in({{{"metric", "a.loss"},
                               {"along", "learning rate"},
                               {"chosen", .1},
                               {"points", {{.1, 2}, {.01, 3}, {1, "nan"}}}},
                              {{"metric", "b"}, {"along", "n"}, {"points", Json::array()}}});
  ASSERT_EQ(curves.size(), 1u) << "one without points is none";
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[0].at, .01);
  EXPECT_EQ(curves[0].chosen, .1);
  for (const Json& bad : {Json(3), Json({3}), Json({{{"metric", 1}}})})
    EXPECT_ANY_THROW(store::probe_curves_in(bad)) << bad;
}

}  // namespace
}  // namespace ablate::reports
