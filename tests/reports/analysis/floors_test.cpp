// Arms that are not shown to have learned anything in the primary metric.

#include "reports/analysis/floors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "reports/analysis/answer/answer.h"
#include "reports/analysis/answer/floor_statements.h"
#include "reports/tables/main_table.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string said(const Analysis& analysis) { return text_of(floor_statements(analysis)); }

TEST(Floors, AreReachedByArmsThatGainNothing) {
  const store::Records both = with_gains(.2, .3), one = with_gains(.2, 0), none = with_gains(0, 0),
                       below = with_gains(-.1, .2);
  EXPECT_THAT(arms_at_floor(analyse(both)), IsEmpty());
  EXPECT_EQ(said(analyse(both)), "");
  EXPECT_THAT(arms_at_floor(analyse(one)), ElementsAre("mlm"));
  EXPECT_THAT(arms_at_floor(analyse(below)), ElementsAre("clm"));
  EXPECT_EQ(said(analyse(one)), "In topic.accuracy, mlm is not shown to beat the untrained model.");
  EXPECT_EQ(
      said(analyse(none)),
      "No answer: in topic.accuracy, neither clm nor mlm is shown to beat the untrained model. "
      "Train longer than 1.6 M tokens of text, or take an easier task.");
  EXPECT_EQ(said(analyse(below)), "In topic.accuracy, clm is worse than the untrained model.");
  EXPECT_THAT(basis_of(floor_statements(analyse(below))), StartsWith("Floor: topic.untrained; "));
  EXPECT_THAT(answer(analyse(none)), StartsWith("No answer: in topic.accuracy, neither clm nor"));
  EXPECT_THAT(answer(analyse(none)), Not(HasSubstr("than clm"))) << "nothing was learned";
  EXPECT_EQ(main_table(analyse(none)).rows[0].cells.back().text, "not above the floor");
  EXPECT_THAT(answer(analyse(both)), Not(HasSubstr("floor")));
}

TEST(Floors, AreNoAnswerOfARunWhoseBaselineIsNotMeasured) {
  store::Records records = with_gains(0, 0);
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "clm") trial.outcome = "unfinished";
  const Analysis analysis = analyse(records);
  EXPECT_FALSE(analysis.none_above_floor);
  EXPECT_THAT(answer(analysis), HasSubstr("Nothing can be compared yet"));
  const store::Records all = with_gains(0, 0);
  EXPECT_TRUE(analyse(all).none_above_floor);
  EXPECT_THAT(files_of(all).at("summary.csv"), HasSubstr("inconclusive")) << "of other metrics";
  for (const auto& [name, bytes] : files_of(all))
    if (name == "report.md" || name == "report.html" || name == "paper/paper-snippet.tex")
      EXPECT_THAT(bytes, Not(HasSubstr("equivalent to clm"))) << name;
}

TEST(Floors, ForecastSeedsOnlyFromGainsThatMoreOfThemWouldShow) {
  const store::Records hopeful = with_gains(.2, .006), hopeless = with_gains(.2, .001);
  EXPECT_THAT(said(analyse(hopeful)), HasSubstr("untrained model. Forecast: if further seeds are "
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
  const std::string said = "neither clm nor mlm is shown to beat";
  const std::size_t first = markdown.find(said);
  ASSERT_NE(first, markdown.npos);
  EXPECT_EQ(markdown.find(said, first + 1), markdown.npos);
}

TEST(Floors, OfArmsWithoutTheMetricAreNoReasonToSayThatSomethingWasLearned) {
  store::Records records = with_gains(0, 0);
  records.plan["arms"].push_back(plan_arm("other", false, "masked_lm", .5));
  records.plan["metrics"]["other"] = Json::array();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("other", seed, .1));
    records.trials.back().metrics.clear();
  }
  EXPECT_THAT(said(analyse(records)), HasSubstr("Train longer"));
}

/// Two arms whose cloze losses lie this far below the floor of 3 nats, in the primary metric `primary`: one of the same
/// loss in another unit.
store::Records with_cloze(double clm, double mlm, const std::string& primary) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = primary;
  const Bound floor = Bound::no_context("cloze.context_free_continuation");
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm] = {
        metric_row("cloze.loss_continuation", "nats/token", "lower", "all arms", {floor}),
        metric_row("cloze.context_free_continuation", "nats/token", "neither", "all arms"),
        metric_row("cloze.untrained_continuation", "nats/token", "neither", "all arms"),
        metric_row("cloze.bits_per_byte_continuation", "bits/byte", "lower", "all arms",
                   {floor.per_byte("cloze.loss_continuation")}),
        metric_row("cloze.perplexity_continuation", "perplexity", "lower", "all arms",
                   {floor.exponential()})};
  for (store::TrialRecord& trial : records.trials) {
    const double loss = 3 - (trial.arm == "clm" ? clm : mlm) + (trial.seed % 2 == 0 ? .01 : -.01);
    // 3 tokens stand for 10 bytes and a few more in each seed.
    const double tokens_a_byte = 3 / (10 + .1 * static_cast<double>(trial.seed));
    trial.metrics = {{"cloze.loss_continuation", loss},
                     {"cloze.context_free_continuation", 3},
                     {"cloze.untrained_continuation", 4},
                     {"cloze.bits_per_byte_continuation", loss * tokens_a_byte / std::log(2)},
                     {"cloze.perplexity_continuation", std::exp(loss)}};
  }
  return records;
}

TEST(Floors, AreThoseOfTheSameLossInEveryUnit) {
  for (const std::string name : {"loss", "bits_per_byte", "perplexity"}) {
    const std::string primary = "cloze." + name + "_continuation";
    const auto at_floor = [&](double clm, double mlm) {
      const store::Records records = with_cloze(clm, mlm, primary);
      return arms_at_floor(analyse(records));
    };
    EXPECT_THAT(at_floor(.5, .2), IsEmpty()) << primary;
    EXPECT_THAT(at_floor(.5, .001), ElementsAre("mlm")) << primary;
    EXPECT_THAT(at_floor(-.2, -.5), ElementsAre("clm", "mlm")) << primary;
  }
  const store::Records worse = with_cloze(-.2, -.5, "cloze.bits_per_byte_continuation");
  EXPECT_EQ(said(analyse(worse)),
            "No answer: in cloze.bits_per_byte_continuation, clm and mlm are worse than a guess "
            "without context. "
            "Train longer than 1.6 M tokens of text, or take an easier task.");
  const store::Records better = with_cloze(.5, .2, "cloze.bits_per_byte_continuation");
  const Analysis analysis = analyse(better);
  const double tokens_a_byte = 3 / 10.3;  // of seed 3, whose loss is 2.79
  EXPECT_NEAR(*above_floor(analysis, analysis.arms[1]).values.at(2),
              .21 * tokens_a_byte / std::log(2), 1e-12);
}

TEST(Floors, OfAnArmAreThoseThatItDeclares) {
  store::Records records = with_gains(.2, .2);
  for (Json& row : records.plan["metrics"]["mlm"])
    if (row["name"] == "topic.accuracy")
      row["bounds"] = store::bounds_json({Bound::chance("topic.absent"), Bound::chance(.25)});
  const Analysis analysis = analyse(records);
  EXPECT_EQ(floor_of(analysis, analysis.arm("clm"), "topic.accuracy")->text(), "topic.untrained");
  EXPECT_EQ(floor_of(analysis, analysis.arm("mlm"), "topic.accuracy")->text(), "0.25")
      << "the other was not measured";
  std::vector<std::string> texts;
  for (const Bound& bound : bounds_of(*analysis.metric("topic.accuracy")))
    texts.push_back(bound.text());
  EXPECT_THAT(texts, ElementsAre("topic.absent", "0.25", "topic.bayes", "topic.untrained"));
}

TEST(Floors, OfAPlanWrittenBeforeMetricsStatedThemAreNotKnown) {
  store::Records records = with_gains(0, 0);
  EXPECT_THAT(files_of(records).at("report.md"), Not(HasSubstr("stated their floors")));
  for (const char* arm : {"clm", "mlm"})
    for (Json& row : records.plan["metrics"][arm]) row.erase("bounds");
  EXPECT_TRUE(analyse(records).floors_unknown);
  EXPECT_EQ(said(analyse(records)), "");
  EXPECT_THAT(files_of(records).at("report.md"), HasSubstr("before metrics stated their floors"));
}

// Four arms gain this much, by name; of an arm "d" there are so many seeds.
store::Records four_arms(const std::map<std::string, double>& gains, std::int64_t seeds_of_d) {
  store::Records records = with_gains(gains.at("clm"), gains.at("mlm"));
  for (const auto& [name, gain] : gains) {
    if (records.plan["metrics"].contains(name)) continue;
    records.plan["arms"].push_back(plan_arm(name, false, "masked_lm", .5));
    records.plan["metrics"][name] = records.plan["metrics"]["mlm"];
    for (std::int64_t seed = 1; seed <= (name == "d" ? seeds_of_d : 6); ++seed) {
      store::TrialRecord trial = small_trial(name, seed, .1);
      trial.metrics["topic.untrained"] = .25;
      trial.metrics["topic.accuracy"] = .25 + gain + (seed % 2 == 0 ? .01 : -.01);
      records.trials.push_back(std::move(trial));
    }
  }
  return records;
}

TEST(Floors, NameTheArmsThatAreShownToBeBetterOnlyWhereTheyAre) {
  const auto said_of = [](const std::map<std::string, double>& gains, std::int64_t seeds_of_d) {
    const store::Records records = four_arms(gains, seeds_of_d);
    return said(analyse(records));
  };
  EXPECT_THAT(said_of({{"clm", 0}, {"mlm", 0}, {"c", 0}, {"d", .2}}, 6),
              HasSubstr("no arm but d is shown to beat"));
  EXPECT_THAT(said_of({{"clm", 0}, {"mlm", 0}, {"c", 0}, {"d", .2}}, 1),
              HasSubstr("none of clm, mlm and c is shown to beat"))
      << "one seed shows nothing";
  EXPECT_THAT(said_of({{"clm", 0}, {"mlm", 0}, {"c", 0}, {"d", -.2}}, 6),
              AllOf(HasSubstr("none of clm, mlm and c is shown to beat"), HasSubstr("d is worse")));
}

TEST(Floors, CallNoArmWorseByALevelThatIsNotShared) {
  const store::Records records = with_gains(.2, -.0118);  // by an interval of its own below 0
  const Analysis analysis = analyse(records);
  EXPECT_LT(above_floor(analysis, analysis.arm("mlm")).interval->high, 0);
  EXPECT_THAT(said(analysis), HasSubstr("mlm is not shown to beat"));
}

TEST(Floors, HaveTheSqlOfAllThatTheyAreMadeOf) {
  const store::Records records = with_gains(.2, 0);
  const auto statements = floor_statements(analyse(records));
  EXPECT_THAT(statements.at(0).query.sql,
              HasSubstr("name IN ('topic.accuracy', 'topic.untrained') AND arm IN ('mlm')"));
}

TEST(Floors, MayBeANumberThatNeedsNoMeasurement) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "label.compression";
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm] = {
        metric_row("label.compression", "ratio", "higher", "all arms", {Bound::floor(1.0)})};
  for (store::TrialRecord& trial : records.trials)
    trial.metrics = {
        {"label.compression", (trial.arm == "clm" ? 1.5 : 1) + (trial.seed % 2 == 0 ? .01 : -.01)}};
  const Analysis analysis = analyse(records);
  EXPECT_THAT(arms_at_floor(analysis), ElementsAre("mlm"));
  EXPECT_EQ(said(analysis), "In label.compression, mlm is not shown to beat its floor.");
  EXPECT_THAT(basis_of(floor_statements(analysis)), StartsWith("Floor: 1; "));
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
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(metric_row("held_out.share_learned", "fraction",
                                                      "higher", "all arms", {Bound::floor(0.0)}));
  EXPECT_NEAR(*gain("held_out.share_learned"), .4, 1e-12);
}

}  // namespace
}  // namespace ablate::reports
