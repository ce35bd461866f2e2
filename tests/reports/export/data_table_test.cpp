// Tidy tables: every record has its row, in every format the same.

#include "reports/export/data_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>

#include "reports/export/table_files.h"
#include "tests/edited_curve.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/hostile.h"

namespace ablate::reports {
namespace {

std::map<std::string, DataTable> tables_of(const store::Records& records) {
  const std::vector<Analysis> experiments = {analyse(records)};
  std::map<std::string, DataTable> tables;
  for (DataTable& table : tidy_tables(experiments)) tables[table.name] = std::move(table);
  return tables;
}

Json cell(const DataTable& table, std::size_t row, const std::string& column) {
  const auto at = std::find(table.columns.begin(), table.columns.end(), column);
  return table.rows.at(row).at(static_cast<std::size_t>(at - table.columns.begin()));
}

TEST(DataTable, HasARowForEveryRecord) {
  const auto tables = tables_of(small_records());
  EXPECT_EQ(tables.at("trials").rows.size(), 12);
  EXPECT_EQ(tables.at("metrics").rows.size(), 12 * 5);
  EXPECT_EQ(tables.at("curves").rows.size(), 12 * 11);
  EXPECT_EQ(tables.at("samples").rows.size(), 12);
  EXPECT_EQ(tables.at("ledger").rows.size(), 12 * 3);
  for (const auto& [name, table] : tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << name;
}

TEST(DataTable, HasNoLossWhereNothingWasScoredButThatOfADivergence) {
  store::Records records = small_records();
  store::TrialRecord& trial = records.trials.front();
  trial.outcome = "diverged";
  testing_support::edit_curve(trial.curve, [](std::vector<store::CurvePoint>& points) {
    points.front().loss = points.back().loss = std::nan("");
  });
  const DataTable curves = tables_of(records).at("curves");
  EXPECT_TRUE(cell(curves, 0, "loss").is_null());
  EXPECT_TRUE(cell(curves, 1, "loss").is_number());
  EXPECT_TRUE(cell(curves, trial.curve.size() - 1, "loss").is_number()) << "it is not a number";
}

TEST(DataTable, HasWhatWasMeasuredOnTheWayWithItsStep) {
  const auto tables = tables_of(
      with_dynamics({10, 30}, [](std::int64_t step) { return 1. / static_cast<double>(step); }));
  const DataTable& dynamics = tables.at("dynamics");
  EXPECT_EQ(dynamics.rows.size(), 6 * 2 * (3 + 2))
      << "two metrics after three steps, and after two";
  EXPECT_EQ(tables.at("metrics").rows.size(), 12 * 5) << "of the end alone";
  bool found = false;
  for (std::size_t i = 0; i < dynamics.rows.size(); ++i) {
    if (cell(dynamics, i, "trial") != "mlm-2" || cell(dynamics, i, "step") != 30 ||
        cell(dynamics, i, "metric") != "held_out.excess")
      continue;
    found = true;
    EXPECT_EQ(cell(dynamics, i, "value"), 1. / 30 + .02);
    EXPECT_EQ(cell(dynamics, i, "text_tokens"), 30 * kTokensAStep);
  }
  EXPECT_TRUE(found);
}

TEST(DataTable, KeepsTheValues) {
  store::Records records = small_records();
  records.trials[0].started = "2026-11-23T12:00:00.000Z";
  const auto tables = tables_of(records);
  const DataTable& metrics = tables.at("metrics");
  for (std::size_t i = 0; i < metrics.rows.size(); ++i) {
    const auto& trial = trial_of(records, cell(metrics, i, "arm"), cell(metrics, i, "seed"));
    EXPECT_EQ(cell(metrics, i, "value").get<double>(),
              trial.metrics.at(cell(metrics, i, "metric").get<std::string>()));
  }
  EXPECT_EQ(cell(tables.at("trials"), 0, "started"), "2026-11-23T12:00:00.000Z");
  EXPECT_TRUE(cell(tables.at("trials"), 1, "started").is_null());
  EXPECT_EQ(Json::parse(cell(tables.at("samples"), 0, "about").get<std::string>()),
            Json({{"log_probability", -2.5}}));
}

TEST(DataTable, ExperimentsFollowOneAnother) {
  store::Records other = small_records();
  other.plan["experiment"] = "other";
  const store::Records first = small_records();
  const std::vector<Analysis> experiments = {analyse(first), analyse(other)};
  const DataTable trials = tidy_tables(experiments)[0];
  EXPECT_EQ(trials.rows.size(), 24);
  EXPECT_EQ(cell(trials, 23, "experiment"), "other");
}

TEST(TableFiles, NumbersReadBackAsTheyWere) {
  for (const double value : {0.1, 1.0 / 3, -2.5e-300, 1e22, 5e-324})
    EXPECT_EQ(std::strtod(exact_number(value).c_str(), nullptr), value);
  EXPECT_EQ(exact_number(-std::nan("")), "nan");
  EXPECT_EQ(exact_number(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(TableFiles, JsonLinesKeepEveryCharacterAndEveryNumber) {
  store::Records records = hostile_records();
  records.trials[1].metrics["topic.accuracy"] = std::nan("");
  for (const auto& [name, table] : tables_of(records)) {
    const std::string bytes = jsonl_table_files({&table, 1}).at(0).bytes;
    std::istringstream lines(bytes);
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line); ++row) {
      const Json read = Json::parse(line);
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Json& given = table.rows.at(row)[i];
        const bool lost = given.is_number_float() && std::isnan(given.get<double>());
        EXPECT_EQ(read.at(table.columns[i]), lost ? Json("nan") : given) << name;
      }
    }
    EXPECT_EQ(row, table.rows.size()) << name;
    for (const char c : bytes) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F)) << int{c};
  }
}

/// The fields of CSV, without regard to lines: those between commas and line ends outside quotes.
std::vector<std::string> csv_fields(const std::string& bytes) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : bytes) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == ',' || c == '\n'))
      fields.emplace_back();
    else if (c != '\r' && c != '"')
      fields.back() += c;
  }
  return fields;
}

TEST(TableFiles, CsvHasAFieldForEveryCellAndRunsNoFormula) {
  for (const auto& [name, table] : tables_of(hostile_records())) {
    const auto fields = csv_fields(csv_table_files({&table, 1}).at(0).bytes);
    EXPECT_EQ(fields.size(), (table.rows.size() + 1) * table.columns.size() + 1) << name;
    for (const std::string& field : fields) {
      char* end = nullptr;
      std::strtod(field.c_str(), &end);
      const bool number = !field.empty() && *end == '\0';
      if (!number) {
        EXPECT_EQ(field.find_first_of("=+-@"), field.find_first_of("=+-@", 1)) << field;
      }
    }
  }
}

}  // namespace
}  // namespace ablate::reports
