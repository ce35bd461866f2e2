// The archive of a report: complete, and the same bytes each time.

#include "reports/formats/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "tests/reports/files.h"
#include "tests/reports/records.h"
#include "tests/reports/unzipped.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

store::Records with_hashes() {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial.journal = "trials/" + trial.id.substr(0, 2) + "/" + trial.id + "/journal.jsonl";
    trial.journal_sha256 = std::string(64, 'a');
  }
  trial_of(records, "mlm", 6).journal_sha256.clear();  // was not begun
  return records;
}

TEST(ReportArchive, HoldsTheFilesThePlanAndTheHashesOfTheJournals) {
  store::Records records = with_hashes();
  records.experiment = {{"experiment.json", "{\"name\": \"small\"}  // as it was given\n"},
                        {"experiment/base.json", "{}"}};
  auto files = files_of(records);
  const auto inside = unzipped(files.at("report.zip"));
  files.erase("report.zip");
  EXPECT_EQ(inside.size(), files.size() + 5);
  EXPECT_EQ(inside.at("experiment.json"), records.experiment.at("experiment.json"));
  EXPECT_EQ(inside.at("experiment/base.json"), "{}");
  EXPECT_TRUE(inside.contains("settings.json"));
  for (const auto& [name, bytes] : files) EXPECT_EQ(inside.at("report/" + name), bytes) << name;
  EXPECT_EQ(Json::parse(inside.at("plan.json")), records.plan);
  const std::string& hashes = inside.at("JOURNALS.sha256");
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), '\n'), 11);
  EXPECT_THAT(hashes, HasSubstr(std::string(64, 'a') + "  trials/cl/clm-1/journal.jsonl\n"));
}

TEST(ReportArchive, IsTheSameInEveryTimeZoneAndAtEveryTime) {
  const store::Records records = with_hashes();
  const std::vector<ReportFile> files = {{"b", "text"}, {"a", std::string(10000, 'x')}};
  const auto in_zone = [&](const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
    const std::string bytes = report_archive(records, files).bytes;
    ::unsetenv("TZ");
    ::tzset();
    return bytes;
  };
  const std::string bytes = in_zone("UTC");
  EXPECT_EQ(in_zone("Asia/Kolkata"), bytes);
  EXPECT_EQ(in_zone("XYZ+11"), bytes);
  EXPECT_LT(bytes.find("report/a"), bytes.find("report/b"));
}

TEST(ReportArchive, IsOfTheFormatsAskedFor) {
  const auto files = make_report(small_records(), {"md", "zip"});
  ASSERT_EQ(files.back().name, "report.zip");
  const auto inside = unzipped(files.back().bytes);
  EXPECT_TRUE(inside.contains("report/report.md"));
  EXPECT_FALSE(inside.contains("report/report.json"));
}

TEST(ReportArchive, AloneHasAllFormats) {
  const auto files = make_report(small_records(), {"zip"});
  ASSERT_EQ(files.size(), 1u);
  const auto inside = unzipped(files.back().bytes);
  for (const char* name : {"report.md", "report.html", "report.json", "paper/paper.tex"})
    EXPECT_TRUE(inside.contains(std::string("report/") + name)) << name;
  EXPECT_EQ(make_report(small_records(), {"zip"}).back().bytes, files.back().bytes);
}

}  // namespace
}  // namespace ablate::reports
