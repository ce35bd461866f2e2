// Steps whose loss was a spike, in tables, files and drawings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/edited_curve.h"
#include "tests/reports/files.h"
#include "tests/reports/found.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> texts_of(const Row& row) {
  std::vector<std::string> texts;
  for (const Cell& cell : row.cells) texts.push_back(cell.text);
  return texts;
}

/// The small experiment, in which a step of a trial spiked and, by an older journal, one of another.
store::Records with_spikes() {
  store::Records records = small_records();
  store::TrialRecord &exact = trial_of(records, "clm", 2), &older = trial_of(records, "mlm", 3);
  exact.spikes = {{.step = 47, .loss = 5.25, .documents = {{0, 17}, {0, 203}, {1, 5}}}};
  testing_support::edit_point(exact.curve, 5, [](store::CurvePoint& point) { point.spike = true; });
  testing_support::edit_point(older.curve, 7, [](store::CurvePoint& point) { point.spike = true; });
  return records;
}

TEST(Spikes, StandWithTheirStepAndDocuments) {
  const store::Records records = with_spikes();
  const Analysis analysis = analyse(records);
  const Table table = shown<Table>(analysis, "spikes");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_THAT(texts_of(table.rows[0]),
              ElementsAre("clm", "1", "1 of 6", "5.25", "2", "47", "17, 203, 5"));
  EXPECT_THAT(texts_of(table.rows[1]),
              ElementsAre("mlm", "1", "1 of 6", "2.63", "3", "or before 70", ""));
  const auto files = files_of(records);
  EXPECT_THAT(files.at("spikes.csv"),
              HasSubstr("small,clm,2,clm-2,47,true,5.25,17 203 5,0 0 1\r\n"));
  EXPECT_EQ(Json::parse(files.at("report.json")).at("spikes").at(1).at("exact"), false);
}

TEST(Spikes, AreMarkedInTheCurves) {
  const auto files = files_of(with_spikes()), without = files_of(small_records());
  for (const char* name : {"report.html", "paper/figures/curves-1.svg"}) {
    EXPECT_THAT(files.at(name), HasSubstr(">×</text>")) << name;
    EXPECT_THAT(without.at(name), Not(HasSubstr(">×</text>"))) << name;
  }
  EXPECT_THAT(files.at("paper/figures/curves-1.tex"), HasSubstr("mark=x"));
  EXPECT_NE(files.at("report.html").find("\"spikes\":[5]"), std::string::npos) << "of the chart";
}

TEST(Spikes, AreNotSpokenOfWhereThereAreNone) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  EXPECT_THAT(shown<Table>(analysis, "spikes").rows, IsEmpty());
}

// A trial that an older version began has some of its spikes in the points of the curve alone.
TEST(Spikes, OfAnOlderVersionStayBesideThoseOfToday) {
  store::Records records = small_records();
  store::TrialRecord& trial = trial_of(records, "clm", 1);
  trial.spikes = {{.step = 73, .loss = 6}};
  for (const std::size_t at : {2, 8, 9})
    testing_support::edit_point(trial.curve, at,
                                [](store::CurvePoint& point) { point.spike = true; });
  testing_support::edit_point(trial.curve, 9, [](store::CurvePoint& point) {
    point.loss = std::numeric_limits<double>::quiet_NaN();
  });
  const Json spikes = json_of(records).at("spikes");
  ASSERT_EQ(spikes.size(), 2u) << spikes;
  EXPECT_EQ(spikes.at(0).at("step"), 20);
  EXPECT_EQ(spikes.at(0).at("exact"), false);
  EXPECT_EQ(spikes.at(1).at("step"), 73);
}

TEST(Spikes, OfAnArmAreCountedAndTheHighestShown) {
  store::Records records = small_records();
  for (const std::int64_t seed : {1, 4})
    for (std::int64_t step = 1; step <= 15; ++step)
      trial_of(records, "clm", seed)
          .spikes.push_back({.step = step,
                             .loss = 4 + static_cast<double>(step == 9 && seed == 4),
                             .documents = {{0, step}}});
  const Analysis analysis = analyse(records);
  const Document document = document_of(analysis);
  const Table table = shown<Table>(analysis, "spikes");
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_THAT(texts_of(table.rows[0]), ElementsAre("clm", "30", "2 of 6", "5", "4", "9", "9"));
  for (const Section& section : document.sections)
    if (section.name == "curves") EXPECT_EQ(section.finding, "30 spikes in 2 of 12 trials");
}

}  // namespace
}  // namespace ablate::reports
