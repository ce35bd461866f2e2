// CSV: reads back as it was measured, and runs nothing.

#include "reports/formats/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {
namespace {

/// Rows of fields by RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& bytes) {
  std::vector<std::vector<std::string>> rows(1);
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < bytes.size() && bytes[i + 1] == '"') {
        field += bytes[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      rows.back().push_back(std::move(field));
      field.clear();
      if (c == '\n') rows.emplace_back();
    } else if (c != '\r') {
      field += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, ReadsBackAsItWasMeasured) {
  const store::Records records = small_records();
  const auto rows = parse_csv(files_of(records).at("trials.csv"));
  ASSERT_EQ(rows.size(), 1 + 12 * 5);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    store::Records copy = records;
    const store::TrialRecord& trial = trial_of(copy, rows[i][1], std::stoll(rows[i][4]));
    EXPECT_EQ(std::stod(rows[i][10]), trial.metrics.at(rows[i][7]));
  }
}

TEST(Csv, HostileTextRunsNothing) {
  const auto files = files_of(hostile_records());
  for (const char* name :
       {"trials.csv", "summary.csv", "wide.csv", "trials_wide.csv", "sensitivity.csv",
        "unpaired.csv", "similarity.csv", "temperatures.csv", "entropy_areas.csv", "curves.csv",
        "parts.csv", "trends.csv", "spikes.csv", "dynamics.csv", "overtaking.csv"}) {
    const auto rows = parse_csv(files.at(name));
    for (const auto& row : rows) {
      EXPECT_EQ(row.size(), rows[0].size()) << name;
      for (const std::string& field : row) {
        const bool number = std::regex_match(field, std::regex("-?[0-9.]+(e[-+]?[0-9]+)?"));
        if (number || field.empty()) continue;
        EXPECT_EQ(std::string("=+-@").find(field[0]), std::string::npos) << field;
      }
    }
  }
}

TEST(Csv, HasTheSensitivityOfTheJson) {
  const store::Records records = small_records();
  const auto files = files_of(records);
  const auto rows = parse_csv(files.at("sensitivity.csv"));
  ASSERT_EQ(rows.size(), 2u);
  const Json json = Json::parse(files.at("report.json"))["sensitivity"][0];
  const std::map<std::string, std::string> keys = {{"difference", "mean"},
                                                   {"p_sign_flip", "p_sign_flip"},
                                                   {"p_wilcoxon", "p_wilcoxon"},
                                                   {"p_paired_t", "p_paired_t"},
                                                   {"d_z", "d_z"},
                                                   {"probability_better", "probability_better"},
                                                   {"variance_ratio", "variance_ratio"}};
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    const auto key = keys.find(rows[0][i]);
    if (key == keys.end()) continue;
    EXPECT_EQ(std::stod(rows[1][i]), json[key->second].get<double>()) << rows[0][i];
    ++found;
  }
  EXPECT_EQ(found, keys.size());
}

TEST(Csv, IsWideAsItIsLong) {
  for (const store::Records& records : {small_records(), with_sweep("mlm", {.15, .3, .5})}) {
    const auto files = files_of(records);
    const auto wide = parse_csv(files.at("trials_wide.csv")),
               arms = parse_csv(files.at("wide.csv"));
    std::map<std::pair<std::string, std::string>, std::string> values, means;
    for (const auto& row : parse_csv(files.at("trials.csv"))) values[{row[5], row[7]}] = row[10];
    for (const auto& row : parse_csv(files.at("summary.csv"))) means[{row[1], row[3]}] = row[7];
    ASSERT_EQ(wide.size(), records.trials.size() + 1);
    ASSERT_EQ(arms.size(), records.plan["arms"].size() + 1);
    for (std::size_t i = 1; i < wide.size(); ++i)
      for (std::size_t k = 8; k < wide[0].size(); ++k) {
        const std::pair key{wide[i][6], wide[0][k]};
        EXPECT_EQ(wide[i][k], values[key]);
      }
    for (std::size_t i = 1; i < arms.size(); ++i)
      for (std::size_t k = 7; k < arms[0].size(); k += 3) {
        const std::pair key{arms[i][1], arms[0][k]};
        EXPECT_EQ(arms[i][k], means[key]);
        EXPECT_EQ(arms[0][k + 1], arms[0][k] + "_half_width");
        EXPECT_EQ(arms[i][k + 2], "6");
      }
  }
}

TEST(Csv, HasARowForEachDegreeOfATrend) {
  const auto rows = parse_csv(files_of(with_sweep("mlm", {.15, .3, .5})).at("trends.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].size(), rows[0].size());
  EXPECT_EQ(rows[1][1], "mlm");
  EXPECT_EQ(rows[1][9], "1");
  EXPECT_NEAR(std::stod(rows[1][10]), -.1, 1e-12);
  EXPECT_EQ(rows[2][9], "2");
}

}  // namespace
}  // namespace ablate::reports
