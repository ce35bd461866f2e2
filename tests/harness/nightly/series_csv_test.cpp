// Histories as CSV, in and out.

#include "harness/nightly/series_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/nightly/history.h"
#include "harness/nightly/measure/night_file.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kTable =
    "time,commit,series,value\n"
    "2026-11-20T02:30:00Z,abc,step,1.25\n"
    "2026-11-20T02:30:00Z,abc,\"a, \"\"b\"\"\",0.001\n"
    "2026-11-21,def,step,1.5\n";

class SeriesCsv : public testing::Test {
 protected:
  std::string refusal_of(const std::string& table) const {
    try {
      import_csv(home, table, "t.csv");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }

  const TemporaryFolder place;
  const Home home{place.path() / "home"};
};

TEST_F(SeriesCsv, WhatComesInGoesOut) {
  EXPECT_EQ(import_csv(home, kTable, "t.csv"), 2);
  EXPECT_EQ(series_csv(home, kImported),
            "time,commit,series,value\n"
            "2026-11-20T02:30:00Z,abc,\"a, \"\"b\"\"\",0.001\n"
            "2026-11-20T02:30:00Z,abc,step,1.25\n"
            "2026-11-21,def,step,1.5\n");
  EXPECT_EQ(series_csv(home, "another"), "time,commit,series,value\n");
}

TEST_F(SeriesCsv, TheSameTableAgainChangesNothing) {
  import_csv(home, kTable, "t.csv");
  const std::string once = series_csv(home, kImported);
  import_csv(home, series_csv(home, kImported), "t.csv");
  EXPECT_EQ(series_csv(home, kImported), once);
  EXPECT_EQ(home.all_nights().size(), 2u);
}

// A spreadsheet would run a cell that begins so.
TEST_F(SeriesCsv, NoCellIsAFormulaAndEachComesBackAsItWas) {
  std::string table = "time,commit,series,value\n";
  for (const char* series : {"=cmd|1", "+1", "-1", "@x", " =1", "'=1", "'a"})
    table += std::string("2026-11-21,-def,\"") + series + "\",1\n";
  import_csv(home, table, "t.csv");
  const std::string exported = series_csv(home, kImported);
  for (const char* row :
       {"\"'=cmd|1\"", "\"'+1\"", "\"'-1\"", "\"'@x\"", "\"' =1\"", "\"'=1\"", "\"'a\""})
    EXPECT_THAT(exported, HasSubstr(std::string("\n2026-11-21,\"'-def\",") + row + ",1\n"));
  import_csv(home, exported, "t.csv");
  EXPECT_EQ(series_csv(home, kImported), exported);
}

TEST_F(SeriesCsv, NightsThatCameInHaveAHistory) {
  std::string table =
      "series,value,branch,commit,time\r\n";  // another order, and a column of theirs
  for (int day = 10; day < 22; ++day)
    table += "step," + std::to_string((day < 16 ? 1 : 1.2) + day * 1e-4) + ",main,c" +
             std::to_string(day) + ",2026-11-" + std::to_string(day) + "\r\n";
  EXPECT_EQ(import_csv(home, table, "t.csv"), 12);
  const History history = read_history(home);
  ASSERT_EQ(history.series.size(), 1u);
  ASSERT_EQ(history.series[0].steps.size(), 1u);
  EXPECT_EQ(history.nights[history.series[0].steps[0].first_after].commit, "c16");
}

TEST_F(SeriesCsv, FaultsAreNamedWithTheirLineAndNothingIsWritten) {
  EXPECT_THAT(refusal_of(""), HasSubstr("t.csv:1: there is no column 'time'"));
  EXPECT_THAT(refusal_of("time,commit,value\n"), HasSubstr("there is no column 'series'"));
  const std::string header = "time,commit,series,value\n";
  EXPECT_THAT(refusal_of(header + "2026-11-20,a,s,1\n2026-11-21,b,s,-1\n"),
              HasSubstr("t.csv:3: '-1' is no time; a value is a positive number of seconds"));
  EXPECT_THAT(refusal_of(header + "2026-11-20,a,s,nan\n"), HasSubstr("'nan' is no time"));
  EXPECT_THAT(refusal_of(header + "20.11.2026,a,s,1\n"),
              HasSubstr("t.csv:2: '20.11.2026' is no time; write it as 2026-11-23"));
  EXPECT_THAT(refusal_of(header + "2026-11-20,../a,s,1\n"), HasSubstr("'../a' is no commit"));
  EXPECT_THAT(refusal_of(header + "2026-11-20,a,s\n"), HasSubstr("has 3 cells"));
  EXPECT_THAT(refusal_of(header + "2026-11-20,a,,1\n"), HasSubstr("the series has no name"));
  EXPECT_THAT(refusal_of(header + "2026-11-20,a,\"s,1\n"),
              HasSubstr("t.csv:2: this row has a quotation"));
  EXPECT_FALSE(fs::exists(home.folder()));
}

TEST_F(SeriesCsv, ANightThatWasMeasuredHereIsNotReplaced) {
  Night own;
  own.folder = home.nights() / "2026-11-21-def";
  own.identity.date = "2026-11-21";
  own.commit = "def";
  own.identity.fingerprint = "f00";
  own.machine = Json::object();
  fs::create_directories(own.folder);
  write_night(own);
  EXPECT_THAT(refusal_of(kTable), HasSubstr("2026-11-21-def was measured here"));
  EXPECT_EQ(home.all_nights().size(), 1u);
}

}  // namespace
}  // namespace ablate::nightly
