// Every value behind a page's numbers.

#include "reports/web/value_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/records.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;

std::vector<std::string> cell_texts(const Row& row) {
  std::vector<std::string> texts;
  for (const Cell& cell : row.cells) texts.push_back(cell.text);
  return texts;
}

const Row& row_named(const std::vector<Table>& tables, const std::string& label) {
  for (const Table& table : tables)
    for (const Row& row : table.rows)
      if (row.cells[0].text == label) return row;
  throw std::logic_error("no row '" + label + "'");
}

TEST(ValueTables, HaveNMeanIntervalAndTheValueOfEverySeed) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const std::vector<Table> tables = value_tables(analysis, analysis);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0].caption, testing::StartsWith("Held-out text (held_out.*): n, mean"));
  const Row& row = row_named(tables, "held_out.excess: clm (nats/target)");
  EXPECT_THAT(cell_texts(row),
              ElementsAre("held_out.excess: clm (nats/target)", "6", "0.225",
                          "0.205367 to 0.244633", "0.21", "0.24", "0.22", "0.2", "0.23", "0.25"));
  EXPECT_EQ(row.cells[5].link, "#trial-1-2");
}

TEST(ValueTables, HaveDifferencesOnlyWhereArmsMayBeCompared) {
  const store::Records records = small_records();
  const Analysis analysis = analyse(records);
  const std::vector<Table> tables = value_tables(analysis, analysis);
  const Row& row = row_named(tables, "held_out.excess: mlm − clm (nats/target)");
  EXPECT_EQ(row.cells[4].text, "0.49");
  EXPECT_EQ(row.cells[4].link, "") << "of two trials";
  EXPECT_EQ(row.anchor, analysis.difference("mlm", "held_out.excess")->over_seeds.anchor);
  EXPECT_THROW(row_named(tables, "held_out.loss: mlm − clm (nats/target)"), std::logic_error);
}

TEST(ValueTables, LeaveTheSeedsOfTrialsThatFailedBlank) {
  store::Records records = small_records();
  trial_of(records, "mlm", 2).outcome = "failed";
  const Analysis analysis = analyse(records);
  const std::vector<Table> tables = value_tables(analysis, analysis);
  const Row& row = row_named(tables, "topic.accuracy: mlm (fraction)");
  EXPECT_EQ(row.cells[1].text, "5");
  EXPECT_EQ(row.cells[5].text, "");
  EXPECT_EQ(row.cells[5].link, "");
}

TEST(ValueTables, HaveTheCommonRateUnderNamesOfItsOwn) {
  const store::Records records = tuned_records();
  const Analysis own = analyse(records), common = analyse(records, Rates::common);
  std::set<std::string> anchors;
  std::size_t rows = 0;
  for (const auto& tables : {value_tables(own, own), value_tables(common, own)})
    for (const Table& table : tables)
      for (const Row& row : table.rows) {
        anchors.insert(row.anchor);
        ++rows;
      }
  EXPECT_EQ(anchors.size(), rows);
  EXPECT_FALSE(anchors.contains(""));
}

}  // namespace
}  // namespace ablate::reports
