// Reports of an experiment of which only a part was run so far, and of arms with labels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "reports/tables/ledger_table.h"
#include "reports/tables/main_table.h"
#include "reports/tables/record_tables.h"
#include "tests/reports/files.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Turns the trials of an arm into trials that were never started.
void never_run(store::Records& records, const std::string& arm) {
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == arm)
      trial = {.id = trial.id, .arm = trial.arm, .seed = trial.seed, .outcome = "unfinished"};
}

store::Records partly_run() {
  store::Records records = with_sweep("late", {.1, .2});
  never_run(records, "late[rate=0.1]");
  never_run(records, "late[rate=0.2]");
  return records;
}

TEST(PartialRun, NamesArmsWithoutRecordsOnceInTheMainTable) {
  const store::Records records = partly_run();
  const Analysis analysis = analyse(records);
  const Table table = main_table(analysis);
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.caption, "small: 6 completed trials per arm");
  EXPECT_EQ(table.notes.front(),
            "2 of 4 arms have no records yet: late[rate=0.1], late[rate=0.2].");
  const std::string text = main_table_text(records);
  EXPECT_EQ(text.find("late[rate=0.1]"), text.rfind("late[rate=0.1]"));
  EXPECT_THAT(text, Not(HasSubstr("no data")));
}

TEST(PartialRun, KeepsTheFamilyOfThePlan) {
  const store::Records records = partly_run();
  EXPECT_EQ(analyse(records).comparisons, 3);
  EXPECT_THAT(basis_of(answer_statements(analyse(records))), HasSubstr("Holm over 3 comparisons"));
}

TEST(PartialRun, LeavesOutRowsOfArmsWithoutRecordsEverywhere) {
  const store::Records records = partly_run();
  const std::string markdown = files_of(records).at("report.md");
  EXPECT_THAT(markdown, Not(HasSubstr("no data")));
  const Analysis analysis = analyse(records);
  EXPECT_THAT(failures(analysis), IsEmpty());
  const Table ledger = ledger_table(analysis);
  EXPECT_THAT(ledger.notes, Each(HasSubstr("tokens of text 1.6 M"))) << "the same in both arms";
}

TEST(PartialRun, SaysThatNothingCanBeComparedYet) {
  store::Records records = small_records();
  never_run(records, "mlm");
  EXPECT_EQ(answer(analyse(records)),
            "No arm can yet be compared with clm in the primary metric, held_out.excess.");
  EXPECT_THAT(main_table_text(records), HasSubstr("1 of 2 arms has no records yet: mlm."));
  records = small_records();
  never_run(records, "clm");
  EXPECT_EQ(answer(analyse(records)),
            "Nothing can be compared yet: no trial of the baseline, clm, has ended.");
}

TEST(PartialRun, ShowsAnArmWhoseTrialsFailed) {
  store::Records records = partly_run();
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "late[rate=0.1]") trial.outcome = "failed";
  const std::string text = main_table_text(records);
  EXPECT_THAT(text, HasSubstr("late[rate=0.1] has no values to set against clm."));
  EXPECT_THAT(text, HasSubstr("1 of 4 arms has no records yet: late[rate=0.2]."));
}

/// The small experiment with a label for its second arm.
store::Records with_label() {
  store::Records records = small_records();
  records.plan["arms"][1]["label"] = "Masked LM, 15 %";
  return records;
}

TEST(Labels, StandForNamesWhereReadersRead) {
  const auto files = files_of(with_label());
  for (const char* name : {"report.md", "report.html", "paper/main.tex", "figure-forest-1.svg"}) {
    const std::string& bytes = files.at(name);
    EXPECT_THAT(bytes, HasSubstr("Masked LM,")) << name;
    EXPECT_THAT(bytes, Not(HasSubstr(" mlm "))) << name;
    EXPECT_THAT(bytes, Not(HasSubstr(">mlm<"))) << name;
  }
  EXPECT_THAT(main_table_text(with_label()),
              HasSubstr("Masked LM, 15 % is worse than clm: higher by"));
}

TEST(Labels, StandBesideNamesWhereProgramsRead) {
  const store::Records records = with_label();
  const Json json = Report(records).json();
  EXPECT_EQ(json["arms"][1]["name"], "mlm");
  EXPECT_EQ(json["arms"][1]["label"], "Masked LM, 15 %");
  EXPECT_EQ(json["arms"][0]["label"], "clm") << "an arm without a label";
  EXPECT_EQ(json["differences"][0]["arm"], "mlm");
  const auto files = files_of(records);
  EXPECT_THAT(files.at("trials.csv"), HasSubstr("small,mlm,false,masked_lm,1,mlm-1,"));
  EXPECT_THAT(files.at("trials.csv"), HasSubstr(",\"Masked LM, 15 %\"\r\n"));
  EXPECT_THAT(files.at("summary.csv"), HasSubstr(",\"Masked LM, 15 %\"\r\n"));
}

TEST(Labels, LeaveTheNamesOfMacrosAsTheyAre) {
  EXPECT_THAT(files_of(with_label()).at("paper/numbers.tex"),
              HasSubstr("\\newcommand{\\AblateSmallMlmHeldOutExcess}"));
}

TEST(Labels, OfMetricsStandForKeysWhereReadersRead) {
  store::Records records = small_records();
  for (Json& arm : records.plan["metrics"])
    for (Json& metric : arm)
      if (metric.at("name") == "held_out.excess") metric["label"] = "loss <above> the optimum";
  const auto files = files_of(records);
  EXPECT_THAT(files.at("report.md"),
              HasSubstr("**In loss \\<above> the optimum, mlm is worse than clm: higher by"));
  EXPECT_THAT(files.at("report.html"),
              HasSubstr("In loss &lt;above&gt; the optimum, mlm is worse"));
  EXPECT_THAT(files.at("report.html"), HasSubstr(" title=\"held_out.excess\""));
  EXPECT_THAT(files.at("paper/main.tex"), HasSubstr("loss \\textless{}above\\textgreater{} the"));
  EXPECT_THAT(files.at("summary.csv"), HasSubstr("held_out.excess"));
  EXPECT_THAT(files.at("summary.csv"), Not(HasSubstr("above"))) << "programs read keys";
  const Json metrics = Json::parse(files.at("report.json")).at("arms")[0].at("metrics");
  EXPECT_EQ(metrics.at("held_out.excess").at("label"), "loss <above> the optimum");
  EXPECT_EQ(metrics.at("topic.accuracy").at("label"), "topic.accuracy") << "a plan of before";
}

TEST(Limits, SayWhatAllTrialsHaveInCommon) {
  store::Records records = small_records();
  EXPECT_THAT(files_of(records).at("report.md"), Not(HasSubstr("Not tested")))
      << "nothing was recorded";
  records.plan["resolved"]["corpus"]["kind"] = "language";
  for (store::TrialRecord& trial : records.trials)
    trial.ledger = {{"parameters", trial.arm == "clm" ? 1000 : 2000}, {"text_tokens", 5e6}};
  EXPECT_THAT(
      files_of(records).at("report.md"),
      HasSubstr("Not tested: other model sizes (here 1 k to 2 k parameters), longer training "
                "(here 5 M tokens of text), anything but the built-in language."));
}

TEST(PartialRun, CountsTheArmsThatAreCompared) {
  const auto answer_of = [](bool complete) {
    store::Records records = with_sweep("mlm", {.1, .15, .3});
    if (!complete) never_run(records, "mlm[rate=0.3]");
    return answer(analyse(records));
  };
  EXPECT_THAT(answer_of(true), HasSubstr("none of the 4 other arms"));
  EXPECT_THAT(answer_of(false), Not(HasSubstr("other arms")));
}

TEST(PartialRun, SaysThatTheBaselineHasNoValues) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "clm") trial.outcome = "failed";
  EXPECT_EQ(answer(analyse(records)),
            "Nothing can be compared: the baseline, clm, has no value in held_out.excess.");
}

TEST(PartialRun, IsReportedWhereNoArmHasThePrimaryMetric) {
  store::Records records = small_records();
  records.plan["analysis"]["primary"] = "held_out.auc";
  EXPECT_THAT(files_of(records).at("report.md"), HasSubstr("held_out.auc"));
}

}  // namespace
}  // namespace ablate::reports
