// Arms that have learned nothing that the primary metric shows.

#include "reports/analysis/floors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "reports/analysis/answer/floor_statements.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string said(const Analysis& analysis) { return text_of(floor_statements(analysis)); }

TEST(Floors, AreReachedByArmsThatGainNothing) {
  const store::Records both = with_gains(.2, .3), one = with_gains(.2, 0), none = with_gains(0, 0),
                       below = with_gains(-.1, .2);
  EXPECT_THAT(arms_at_floor(analyse(both)), IsEmpty());
  EXPECT_EQ(said(analyse(both)), "");
  EXPECT_THAT(arms_at_floor(analyse(one)), ElementsAre("mlm"));
  EXPECT_THAT(arms_at_floor(analyse(below)), ElementsAre("clm"));
  EXPECT_EQ(said(analyse(one)),
            "In topic.accuracy, mlm is no better than the untrained model (topic.untrained).");
  EXPECT_EQ(said(analyse(none)),
            "Nothing was learned that topic.accuracy shows: no arm's gain on its floor, "
            "topic.untrained, has a 95 % interval above 0. Train longer than 1.6 M tokens of text, "
            "or choose another primary metric.");
  EXPECT_THAT(answer(analyse(none)), HasSubstr("Nothing was learned"));
  EXPECT_THAT(answer(analyse(both)), Not(HasSubstr("floor")));
}

TEST(Floors, ForecastSeedsOnlyFromGainsThatMoreOfThemWouldShow) {
  const store::Records hopeful = with_gains(.2, .006), hopeless = with_gains(.2, .001);
  EXPECT_THAT(said(analyse(hopeful)), HasSubstr("(topic.untrained). Forecast: if further seeds are "
                                                "like these, 18 in all would show a gain of "
                                                "mlm."));
  EXPECT_THAT(said(analyse(hopeless)), Not(HasSubstr("further seeds")));
  store::Records two = with_gains(.2, .006);
  std::erase_if(two.trials, [](const store::TrialRecord& trial) { return trial.seed > 2; });
  EXPECT_THAT(said(analyse(two)), Not(HasSubstr("further seeds")));
}

TEST(Floors, AreNamedOnceInAReport) {
  const auto files = files_of(with_gains(0, 0));
  const std::string& markdown = files.at("report.md");
  const std::size_t first = markdown.find("Nothing was learned");
  ASSERT_NE(first, markdown.npos);
  EXPECT_EQ(markdown.find("Nothing was learned", first + 1), markdown.npos);
}

TEST(Floors, OfArmsWithoutTheMetricAreNoReasonToSayThatSomethingWasLearned) {
  store::Records records = with_gains(0, 0);
  records.plan["arms"].push_back(plan_arm("other", false, "masked_lm", .5));
  records.plan["metrics"]["other"] = Json::array();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("other", seed, .1));
    records.trials.back().metrics.clear();
  }
  EXPECT_THAT(said(analyse(records)), HasSubstr("Nothing was learned"));
}

TEST(Floors, OfLossesAreThePredictorsThatSeeNoContext) {
  store::Records records = small_records();  // the loss is the excess + 2, and the optimum 2
  const auto gain = [&](const std::string& primary) {
    records.plan["analysis"]["primary"] = primary;
    const Analysis analysis = analyse(records);
    return above_floor(analysis, analysis.arms[1]).mean;
  };
  EXPECT_FALSE(gain("held_out.excess")) << "no context-free loss was measured";
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["held_out.context_free"] = 3.5;
    trial.metrics["held_out.share_learned"] = .4;
  }
  double excess = 0;
  for (const store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") excess += trial.metrics.at("held_out.excess") / 6;
  EXPECT_NEAR(*gain("held_out.loss"), 1.5 - excess, 1e-12);
  EXPECT_NEAR(*gain("held_out.excess"), 1.5 - excess, 1e-12);
  EXPECT_FALSE(gain("held_out.optimum")) << "has no floor";
  records.plan["metrics"]["mlm"].push_back(
      metric_row("held_out.share_learned", "fraction", "higher", "all arms"));
  records.plan["metrics"]["clm"].push_back(
      metric_row("held_out.share_learned", "fraction", "higher", "all arms"));
  EXPECT_NEAR(*gain("held_out.share_learned"), .4, 1e-12);
}

}  // namespace
}  // namespace ablate::reports
