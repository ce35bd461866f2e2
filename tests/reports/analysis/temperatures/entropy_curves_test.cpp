#include "reports/analysis/temperatures/entropy_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(EntropyCurves, AverageOverSeedsAtEachTemperature) {
  const store::Records records = with_temperatures();
  const Analysis analysis = analyse(records);
  const auto curves = entropy_curves(analysis);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[1].arm->name, "mlm");
  EXPECT_EQ(curves[1].sampler, "gibbs");
  ASSERT_EQ(curves[1].points.size(), 3u);
  EXPECT_NEAR(curves[1].points[0].entropy, 3.735, 1e-12);
  EXPECT_NEAR(*curves[1].points[0].quality.mean, -3.665, 1e-12);
  EXPECT_EQ(curves[1].points[0].quality.n, 6);
}

TEST(EntropyCurves, HaveTheTemperaturesThatEveryCompletedSeedDrewAt) {
  store::Records records = with_temperatures();
  trial_of(records, "clm", 1).temperatures[0].points.pop_back();
  trial_of(records, "clm", 2).outcome = "failed";
  trial_of(records, "clm", 3).temperatures.clear();
  const Analysis analysis = analyse(records);
  const auto curves = entropy_curves(analysis);
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[1].temperature, 1);
  EXPECT_EQ(curves[0].points[1].quality.n, 4);
}

TEST(EntropyCurves, AreDrawnAndInTheFiles) {
  const auto files = files_of(with_temperatures());
  EXPECT_THAT(files.at("report.html"),
              HasSubstr("generation.log_probability by entropy of tokens"));
  EXPECT_THAT(files.at("report.html"), HasSubstr(">mlm, left_to_right</text>"));
  EXPECT_THAT(files.at("temperatures.csv"),
              HasSubstr("small,clm,ancestral,generation.log_probability,nats/token,0.7,3.73500"));
  EXPECT_TRUE(files.contains("paper/figures/entropy-1.tex"));
  const auto without = files_of(small_records());
  EXPECT_THAT(without.at("report.html"), Not(HasSubstr("entropy of tokens")));
}

TEST(StoredTemperatures, AreReadFromTheDetailsOfBothProbes) {
  const Json judged = {{{"temperature", 1.2}, {"entropy", 4}, {"judge_loss", 3}, {"mauve", .5}},
                       {{"temperature", .7}, {"entropy", 3}, {"judge_loss", 2}, {"mauve", .4}},
                       {{"temperature", .5}, {"entropy", 3}, {"judge_loss", "nan"}}};
  const Json greedy = {{{"temperature", 1}, {"token_entropy", 1}, {"log_probability", -1}}};
  const auto curves = store::temperature_curves_in(judged, {{"greedy", greedy}});
  ASSERT_EQ(curves.size(), 2u) << "one point is no curve";
  EXPECT_EQ(curves[1].metric, "quality.mauve");
  EXPECT_EQ(curves[1].points[1].quality, .5);
  EXPECT_EQ(curves[0].metric, "quality.judge_loss");
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[0].temperature, .7);
  EXPECT_EQ(curves[0].points[1].quality, 3);
  EXPECT_THAT(store::temperature_curves_in({}, {}), IsEmpty());
  for (const Json& bad : {Json(3), Json({3}), Json({{"a", 1}})})
    EXPECT_ANY_THROW(store::temperature_curves_in(bad, {})) << bad;
  EXPECT_ANY_THROW(store::temperature_curves_in({}, Json::array()));
}

}  // namespace
}  // namespace ablate::reports
