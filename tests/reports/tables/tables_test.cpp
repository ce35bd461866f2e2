// The notes of tables and answers: effects that are too small, arms not matched, missing values.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/answer.h"
#include "reports/analysis/matching.h"
#include "reports/analysis/method.h"
#include "reports/tables/ledger_table.h"
#include "reports/tables/main_table.h"
#include "reports/tables/metric_tables.h"
#include "reports/tables/realised_table.h"
#include "reports/tables/record_tables.h"
#include "reports/tables/texts/prompt_tables.h"
#include "reports/tables/texts/sampler_tables.h"
#include "reports/tables/time_table.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> titles(const Table& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.title);
  return all;
}

std::vector<std::string> texts(const Row& row) {
  std::vector<std::string> all;
  for (const Cell& cell : row.cells) all.push_back(cell.text);
  return all;
}

std::string notes_of(const Table& table) {
  std::string all;
  for (const std::string& note : table.notes) all += note + "\n";
  return all;
}

/// The small experiment with a third arm, of which some trials have not run.
store::Records with_third_arm(std::int64_t completed) {
  store::Records records = small_records();
  records.plan["arms"].push_back(plan_arm("late", false, "masked_lm", 0.5));
  records.plan["metrics"]["late"] = small_metrics();
  for (std::int64_t seed = 1; seed <= 6; ++seed) {
    records.trials.push_back(small_trial("late", seed, .5));
    if (seed <= completed) continue;
    records.trials.back() = {
        .id = fmt::format("late-{}", seed), .arm = "late", .seed = seed, .outcome = "unfinished"};
  }
  return records;
}

TEST(PromptTables, PutTheAnswersOfAllArmsToAPromptSideBySide) {
  store::Records records = small_records();
  const auto answer = [](const char* question, const char* filling) {
    return store::Sample{"",
                         {{"question", question},
                          {"reads", "both sides"},
                          {"greedy", Json::array({filling, "last"})},
                          {"drawn", Json::array({Json::array({"one", "two"})})},
                          {"first", Json::array({Json::array({filling, .75})})},
                          {"truth", "what stood there"}}};
  };
  trial_of(records, "clm", 1).samples = {answer("a ___ b ___", "x"), answer("second ___", "y")};
  trial_of(records, "mlm", 1).samples = {
      {"", {{"question", "a ___ b ___"}, {"note", "cannot be asked"}}}, {"a drawn text", {}}};
  for (const auto& arm : {"clm", "mlm"})
    for (std::int64_t seed = 2; seed <= 6; ++seed) trial_of(records, arm, seed).samples.clear();
  const std::vector<Table> tables = prompt_tables(analyse(records));
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].caption, "a ___ b ___");
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_THAT(texts(tables[0].rows[0]),
              ElementsAre("clm", "both sides", "x | last", "one | two", "x 0.75"));
  EXPECT_THAT(texts(tables[0].rows[1]), ElementsAre("mlm", "cannot be asked", "", "", ""));
  EXPECT_THAT(notes_of(tables[0]), HasSubstr("In the text: what stood there"));
  EXPECT_EQ(tables[1].rows.size(), 1u);
}

TEST(PromptTables, LeaveDrawnTextsToTheSamples) {
  const store::Records records = small_records();
  EXPECT_TRUE(prompt_tables(analyse(records)).empty());
}

TEST(SamplerTables, PutWhatEverySamplerDrewSideBySide) {
  store::Records records = small_records();
  const auto drawn = [](const char* sampler, const char* shown, const char* text) {
    return store::Sample{
        text, {{"sampler", sampler}, {"shown", shown}, {"drawn", text}, {"log_probability", -2.5}}};
  };
  store::Sample infilled = drawn("gibbs", "w1 ___ w3", "w2");
  infilled.about["truth"] = "w9";
  infilled.about.erase("log_probability");
  trial_of(records, "clm", 1).samples = {
      {"usual", {}}, drawn("greedy", "w1", "a b"), drawn("beam", "w1", "a c")};
  trial_of(records, "mlm", 1).samples = {drawn("gibbs", "w1", "d"), infilled};
  const std::vector<Table> tables = sampler_tables(analyse(records));
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].caption, "w1");
  ASSERT_EQ(tables[0].rows.size(), 3u);
  EXPECT_THAT(texts(tables[0].rows[0]), ElementsAre("clm", "greedy", "a b", "-2.5"));
  EXPECT_THAT(texts(tables[0].rows[1]), ElementsAre("clm", "beam", "a c", "-2.5"));
  EXPECT_THAT(texts(tables[0].rows[2]), ElementsAre("mlm", "gibbs", "d", "-2.5"));
  EXPECT_TRUE(tables[0].notes.empty());
  EXPECT_THAT(texts(tables[1].rows[0]), ElementsAre("mlm", "gibbs", "w2", ""));
  EXPECT_THAT(notes_of(tables[1]), HasSubstr("In the text: w9"));
  const store::Records plain = small_records();
  EXPECT_TRUE(sampler_tables(analyse(plain)).empty());
}

TEST(Tables, SayOfADifferenceBelowTheSmallestEffectThatItIs) {
  store::Records records = small_records();
  records.plan["analysis"]["smallest_effect"] = 0.505;  // the difference is .502, surely not 0
  const Analysis analysis = analyse(records);
  EXPECT_EQ(main_table(analysis).rows[0].cells.back().text, "worse (estimate below 0.505)");
  EXPECT_THAT(answer(analysis), HasSubstr("estimate below the smallest effect of interest, 0.505"));
  records.plan["analysis"]["smallest_effect"] = 0.4;
  EXPECT_EQ(main_table(analyse(records)).rows[0].cells.back().text, "worse");
  EXPECT_THAT(answer(analyse(records)), Not(HasSubstr("smallest")));
}

TEST(Tables, CallAnArmWithoutCompletedTrialsOneWithoutData) {
  store::Records records = with_third_arm(0);
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "late") trial.outcome = "failed";
  const Analysis analysis = analyse(records);
  EXPECT_EQ(main_table(analysis).rows[2].cells[5].text, "no data");
  EXPECT_THAT(answer(analysis), HasSubstr("; late has no values to set against clm."));
  for (const Group& group : groups_of(analysis)) {
    const auto metrics = metric_tables(analysis, group);
    EXPECT_EQ(metrics[0].rows[2].cells[1].text, "no data");
    for (const Table& table : difference_tables(analysis, group))
      for (const Cell& cell : table.rows[1].cells)
        EXPECT_TRUE(cell.text == "late" || cell.text == "no data" || cell.text == "not comparable");
  }
}

TEST(Tables, SayHowManySeedsEveryArmIsPairedOver) {
  const store::Records three = with_third_arm(3), all = with_third_arm(6);
  EXPECT_THAT(basis_of(answer_statements(analyse(three))), HasSubstr("paired over 3 to 6 seeds"));
  EXPECT_THAT(basis_of(answer_statements(analyse(all))), HasSubstr("paired over 6 seeds"));
}

TEST(Tables, NameWhatIsNotAlikeInAllArms) {
  store::Records records = small_records();
  EXPECT_EQ(not_matched(analyse(records)), "") << "targets vary with the seed alone";
  for (store::TrialRecord& trial : records.trials)
    trial.ledger["flops"] = trial.arm == "mlm" ? 2e12 : 1.5e12;
  const Analysis analysis = analyse(records);
  EXPECT_EQ(not_matched(analysis), "Differs between arms: FLOPs, 1.5 T (clm) to 2 T (mlm).");
  EXPECT_THAT(notes_of(main_table(analysis)), HasSubstr("FLOPs, 1.5 T"));
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.ledger["flops"] = 1.51e12;
  EXPECT_EQ(not_matched(analyse(records)), "") << "less than 1 % apart";
}

TEST(Tables, ExplainMetricsThatDifferInANumberTogether) {
  store::Records records = small_records();
  for (const int shots : {0, 16})
    for (const char* arm : {"clm", "mlm"})
      records.plan["metrics"][arm].push_back(
          indexed_row(metric_row(fmt::format("prompting.macro_f1_{}", shots), "fraction", "higher",
                                 "same objective"),
                      shots, "prompting.macro_f1_N"));
  for (const char* arm : {"clm", "mlm"})
    records.plan["metrics"][arm].push_back(indexed_row(
        metric_row("prompting.chrf_4", "points", "higher", "all arms"), 4, "prompting.chrf_N"));
  for (store::TrialRecord& trial : records.trials)
    for (const char* name : {"macro_f1_0", "macro_f1_16", "chrf_4"})
      trial.metrics[fmt::format("prompting.{}", name)] = .5;
  const Analysis analysis = analyse(records);
  std::string notes;
  for (const Table& table : metric_tables(analysis, groups_of(analysis).back()))
    notes += notes_of(table);
  EXPECT_THAT(notes, HasSubstr("prompting.macro_f1_N: what prompting.macro_f1_N means."));
  EXPECT_THAT(notes, HasSubstr("prompting.macro_f1_N: compare within the same objective only."));
  EXPECT_THAT(notes, Not(HasSubstr("prompting.macro_f1_16:")));
  EXPECT_THAT(notes, HasSubstr("prompting.chrf_4: what prompting.chrf_4 means."))
      << "the only one of its family";
}

TEST(Tables, SetManyMetricsOfFewArmsDownwards) {
  store::Records records = small_records();
  Json rows = small_metrics();
  for (int ahead = 2; ahead <= 8; ++ahead)
    rows.push_back(indexed_row(metric_row(fmt::format("held_out.loss_ahead_{}", ahead),
                                          "nats/target", "lower", "same objective and setting"),
                               ahead, "held_out.loss_ahead_N"));
  records.plan["metrics"]["mlm"] = rows;
  for (store::TrialRecord& trial : records.trials)
    for (int ahead = 2; trial.arm == "mlm" && ahead <= 8; ++ahead)
      trial.metrics[fmt::format("held_out.loss_ahead_{}", ahead)] = ahead;
  const Analysis analysis = analyse(records);
  const std::vector<Table> tables = metric_tables(analysis, groups_of(analysis)[0]);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(titles(tables[0]), ElementsAre("metric", "unit", "clm", "mlm"));
  EXPECT_EQ(tables[0].rows.size(), 10u);
  EXPECT_EQ(tables[0].rows[3].cells[0].text, "held_out.loss_ahead_2 ↓");
  EXPECT_EQ(tables[0].rows[3].cells[2].text, "");
  const std::string notes = notes_of(tables[0]);
  EXPECT_THAT(notes, HasSubstr("held_out.loss_ahead_N: what held_out.loss_ahead_N means."));
  EXPECT_THAT(notes,
              HasSubstr("Blank: the objective or the phases of that arm do not yield the metric."));
}

TEST(Tables, SayOfWhichArmsACaveatHolds) {
  store::Records records = small_records();
  for (Json& row : records.plan["metrics"]["mlm"])
    if (row["name"] == "held_out.excess" || row["name"] == "held_out.optimum")
      row["caveat"] = "the optimum is a bound";
  const Analysis analysis = analyse(records);
  const char* const said = "held_out.optimum; held_out.excess of mlm: the optimum is a bound.";
  EXPECT_THAT(notes_of(main_table(analysis)), HasSubstr(said));
  EXPECT_THAT(notes_of(metric_tables(analysis, groups_of(analysis)[0])[0]), HasSubstr(said));
  const Json json = json_of(records);
  EXPECT_EQ(json["arms"][1]["metrics"]["held_out.excess"]["caveat"], "the optimum is a bound");
  EXPECT_FALSE(json["arms"][0]["metrics"]["held_out.excess"].contains("caveat"));
  EXPECT_FALSE(json["arms"][1]["metrics"]["held_out.loss"].contains("caveat"));
}

/// A ledger's objective, with what it did and was to do.
Json at_work(const Json& objective, double hidden, const Json& intended) {
  return {{"objective", objective},
          {"realised",
           {{"corruption", hidden},
            {"prediction", 0.98},
            {"mask", hidden > 0 ? 0.8 : 0.0},
            {"random", 0.0},
            {"spans", {{"1", 5}}}}},
          {"intended", intended}};
}

TEST(Tables, SayWhichTrialsADeviceTrainedWithoutARecording) {
  store::Records records = small_records();
  trial_of(records, "mlm", 1).ledger["flops"] = 2e12;
  EXPECT_TRUE(unrecorded(analyse(records)).empty());
  const std::string words = ledger_table(analyse(records)).notes.at(0);
  for (std::size_t i = 0; i < 2; ++i)
    records.trials[i].ledger["recording_failure"] = "not permitted\nby frame 1";
  EXPECT_THAT(unrecorded(analyse(records)),
              ElementsAre(testing::AllOf(testing::StartsWith("2 of 12 trials queued each step"),
                                         testing::EndsWith("recording failed: not permitted"))));
  EXPECT_EQ(ledger_table(analyse(records)).notes.at(0), words) << "it is no amount";
}

TEST(LedgerTable, ShowsWhatIsAlikeBelowItWhereAnythingDiffers) {
  store::Records records = small_records();
  const Table alike = ledger_table(analyse(records));
  EXPECT_THAT(titles(alike), ElementsAre("amount", "clm", "mlm"));
  EXPECT_EQ(alike.rows.size(), 3u) << "steps, tokens of text, targets";
  EXPECT_THAT(alike.notes, testing::IsEmpty());
  trial_of(records, "mlm", 1).ledger["targets"] = 7000;
  const Table table = ledger_table(analyse(records));
  EXPECT_THAT(titles(table), ElementsAre("arm", "targets"));
  EXPECT_THAT(table.notes, ElementsAre("The same in every arm: steps 100, tokens of text 1.6 M."));
}

TEST(TimeTable, IsOfCompletedTrialsThatSayIt) {
  store::Records records = small_records();
  EXPECT_TRUE(time_table(analyse(records)).rows.empty()) << "no journal says it";
  for (store::TrialRecord& trial : records.trials)
    trial.time = {{{"train", 30}, {"probes", 10}}, {{"held_out", {8, 6, 0, 1}}}};
  trial_of(records, "clm", 1).time.stages["train"] = 1e9;
  trial_of(records, "clm", 1).outcome = "failed";
  const Table table = time_table(analyse(records));
  EXPECT_THAT(titles(table), ElementsAre("time", "clm", "mlm"));
  std::map<std::string, std::string> cells;
  for (const Row& row : table.rows) cells[row.cells[0].text] = row.cells[1].text;
  EXPECT_EQ(cells.at("training"), "30 (75 %)");
  EXPECT_EQ(cells.at("measuring"), "10 (25 %)");
  EXPECT_EQ(cells.at("measuring: held_out"), "8 (20 %)");
  EXPECT_EQ(cells.at("measuring: not told apart"), "2 (5 %)");
  EXPECT_EQ(cells.at("of measuring: forward passes"), "6 (15 %)");
  EXPECT_EQ(cells.at("in all"), "40 (100 %)");
}

TEST(RealisedTable, LeavesOutWhatNobodyDidAndWhatAllShare) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.ledger.update(trial.arm == "clm" ? at_work({{"type", "causal_lm"}}, 0, Json::object())
                                           : at_work({{"type", "masked_lm"}, {"rate", 0.15}}, 0.151,
                                                     {{"corruption", 0.15}}));
  const Table table = realised_table(analyse(records));
  EXPECT_THAT(titles(table), ElementsAre("arm", "objective", "hidden, of the text",
                                         "as a mask, of the hidden", "scored, of the text"));
  EXPECT_THAT(texts(table.rows[0]), ElementsAre("clm", "causal_lm", "0", "", "0.98"));
  EXPECT_THAT(texts(table.rows[1]), ElementsAre("mlm", "masked_lm", "0.151 (0.15)", "0.8", "0.98"));
  EXPECT_THAT(notes_of(table), HasSubstr("Every masked_lm here: rate 0.15."));
}

TEST(RealisedTable, HasARowForEveryPhase) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    if (trial.arm != "mlm") continue;
    Json first = at_work({{"type", "masked_lm"}, {"rate", 0.15}}, 0.15, {{"corruption", 0.15}}),
         second = at_work({{"type", "masked_lm"}, {"rate", 0.5}}, 0.5, {{"corruption", 0.5}});
    first["phase"] = "easy";
    second["phase"] = "hard";
    trial.ledger["realised"] = {{"corruption", 0.3}};  // of both: no objective ever did that
    trial.ledger["phases"] = {first, second};
  }
  const Table table = realised_table(analyse(records));
  EXPECT_THAT(texts(table.rows[1]),
              ElementsAre("mlm · easy", "masked_lm: rate 0.15", "0.15 (0.15)", "0.8", "0.98"));
  EXPECT_THAT(texts(table.rows[2]),
              ElementsAre("mlm · hard", "masked_lm: rate 0.5", "0.5 (0.5)", "0.8", "0.98"));
}

}  // namespace
}  // namespace ablate::reports
