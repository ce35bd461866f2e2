// The archive of a report: complete, and the same bytes each time.

#include "reports/formats/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "harness/base/files.h"
#include "harness/base/posix/machine_fault.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"
#include "tests/reports/unzipped.h"
#include "tests/temporary_folder.h"

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;
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

/// The bytes of an archive of these files.
std::string archive_of(const store::Records& records, const std::vector<ReportFile>& files) {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (const ReportFile& file : files) {
    fs::create_directories((folder.path() / file.name).parent_path());
    write_file(folder.path() / file.name, file.bytes);
    names.push_back(file.name);
  }
  write_archive(records, folder.path(), names, folder.path() / "report.zip");
  return read_file(folder.path() / "report.zip");
}

TEST(ReportArchive, HoldsTheFilesThePlanAndTheHashesOfTheJournals) {
  store::Records records = with_hashes();
  records.experiment = {{"experiment.json", "{\"name\": \"small\"}  // as it was given\n"},
                        {"experiment/base.json", "{}"}};
  const auto files = files_of(records);
  const auto inside = unzipped(archive_of(records, make_report(records, all_formats())));
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
    const std::string bytes = archive_of(records, files);
    ::unsetenv("TZ");
    ::tzset();
    return bytes;
  };
  const std::string bytes = in_zone("UTC");
  EXPECT_EQ(in_zone("Asia/Kolkata"), bytes);
  EXPECT_EQ(in_zone("XYZ+11"), bytes);
  EXPECT_LT(bytes.find("report/a"), bytes.find("report/b"));
}

// Files that are read may be private to the user, and were written just now.
TEST(ReportArchive, KeepsNoModeOfAFile) {
  const store::Records records = small_records();
  const TemporaryFolder folder;
  const auto in_mode = [&](fs::perms mode) {
    write_file(folder.path() / "a", "text");
    fs::permissions(folder.path() / "a", mode);
    write_archive(records, folder.path(), {"a"}, folder.path() / "report.zip");
    return read_file(folder.path() / "report.zip");
  };
  EXPECT_EQ(in_mode(fs::perms::owner_read | fs::perms::owner_write), in_mode(fs::perms::all));
}

TEST(ReportArchive, SaysWhereItCannotBeWritten) {
  EXPECT_THROW(write_archive(small_records(), "/", {}, "/nonexistent/report.zip"), MachineFault);
}

}  // namespace
}  // namespace ablate::reports
