// Accuracies by field and by group, and why an arm has no number at all.

#include "reports/analysis/probes/arm_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/store/index/details/probe_details.h"
#include "reports/tables/missing.h"
#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ArmParts, AverageOverSeedsAndKeepTheErrorOfItems) {
  const store::Records records = with_parts();
  const Analysis analysis = analyse(records);
  const std::vector<ArmParts> parts = arm_parts(analysis);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].by, "field");
  EXPECT_EQ(parts[0].arm->name, "clm");
  EXPECT_EQ(parts[0].parts[0].name, "morphology");
  EXPECT_EQ(parts[0].parts[0].items, 60);
  EXPECT_NEAR(*parts[0].parts[0].over_seeds.mean, .75, 1e-12);
  EXPECT_NEAR(parts[0].parts[0].item_error, .04, 1e-12);
  EXPECT_EQ(parts[2].by, "group");
  EXPECT_EQ(parts[2].parts.size(), 3u);
}

TEST(ArmParts, OfAFileWithoutNamesAreNone) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.parts = {{"topic.accuracy", "field", {{"", .5, .1, 10}}}};
  const Analysis analysis = analyse(records);
  EXPECT_TRUE(arm_parts(analysis).empty());
}

TEST(ArmParts, AreTabledAndInTheFiles) {
  const auto files = files_of(with_parts());
  EXPECT_THAT(files.at("report.md"), HasSubstr("minimal_pairs.accuracy by field"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("islands"));
  EXPECT_THAT(files.at("parts.csv"),
              HasSubstr("small,mlm,minimal_pairs.accuracy,field,morphology,60,0.7"));
  EXPECT_THAT(files.at("parts.csv"), HasSubstr(",group,islands,30,0.5"));
  EXPECT_THAT(files_of(small_records()).at("report.md"), Not(HasSubstr("by field")));
}

TEST(StoredParts, AreReadFromTheDetails) {
  const Json part = {{"name", "a"}, {"items", 3}, {"accuracy", .5}, {"item_error", .1}};
  const auto parts = store::score_parts_in({{"m.accuracy", {{"field", {part}}}}});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].metric, "m.accuracy");
  EXPECT_EQ(parts[0].parts[0].items, 3);
  for (const Json& bad : {Json(3), Json({3}), Json({{"m", 3}}), Json({{"m", {{"field", {3}}}}})})
    EXPECT_ANY_THROW(store::score_parts_in(bad)) << bad;
}

/// mlm has no number of the probe 'cloze'; its reason is `reason`, empty: none was stored.
store::Records with_blank_cloze(const std::string& reason) {
  store::Records records = small_records();
  records.plan["metrics"]["clm"].push_back(
      metric_row("cloze.loss_infill", "nats/token", "lower", "all arms"));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "clm")
      trial.metrics["cloze.loss_infill"] = 3;
    else if (!reason.empty())
      trial.absent["cloze"] = reason;
  return records;
}

TEST(Blanks, SayTheReasonOfTheProbe) {
  EXPECT_THAT(files_of(with_blank_cloze("the objective has no format")).at("report.md"),
              HasSubstr("No number of mlm: the objective has no format."));
  EXPECT_THAT(files_of(with_blank_cloze("")).at("report.md"),
              HasSubstr("Blank: the objective or the phases of that arm do not yield the metric."));
}

TEST(Blanks, OfSeveralGroupsNameTheMetricsThatAReasonIsOf) {
  const store::Records records = with_blank_cloze("the objective has no format");
  const Analysis analysis = analyse(records);
  std::vector<std::string> notes;
  note_blanks(analysis.arms_with_records(), {analysis.metric("cloze.loss_infill")}, notes);
  EXPECT_THAT(notes,
              ::testing::ElementsAre("No cloze.loss_infill of mlm: the objective has no format."));
}

TEST(Blanks, SayWhyOneMetricOfAMeasurementIsMissing) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") {
      trial.metrics.erase("topic.accuracy");
      trial.absent["topic.accuracy"] = "there are no topics";
    }
  const std::string report = files_of(records).at("report.md");
  EXPECT_THAT(report, HasSubstr("No topic.accuracy of mlm: there are no topics."));
  EXPECT_THAT(report, Not(HasSubstr("the others gave no number")));
}

TEST(StoredReasons, AreReadFromTheDetails) {
  EXPECT_EQ(store::reasons_in({{"cloze", "no format"}}).at("cloze"), "no format");
  for (const Json& bad : {Json(3), Json({3}), Json({{"cloze", 3}})})
    EXPECT_ANY_THROW(store::reasons_in(bad)) << bad;
}

}  // namespace
}  // namespace ablate::reports
