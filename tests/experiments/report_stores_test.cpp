// Reports that carry their stores: what is packed verifies, and makes the report anew.
//
// If ABLATE_UPDATE_GOLDENS is set, the reports are rewritten instead; review the difference.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/store/journal/trial_folders.h"
#include "tests/end_to_end/program.h"
#include "tests/paths.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;
using testing_support::Finished;
using testing_support::Workplace;

const fs::path kReportFolder = project_root() / "experiments/reports";
constexpr std::uintmax_t kMostBytes = 4'000'000, kMostBytesOfATrial = 16 * 1024;

std::vector<std::string> packed() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kReportFolder / "stores"))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// Unpacks a store into a folder of its name without the ending, and returns that.
fs::path unpacked(const Workplace& place, const std::string& file) {
  const fs::path folder = place.folder() / file.substr(0, file.find('.'));
  fs::create_directory(folder);
  EXPECT_EQ(testing_support::run_shell(
                "", fmt::format("tar xf '{}' -C '{}'", (kReportFolder / "stores" / file).string(),
                                folder.string())),
            0);
  return folder;
}

TEST(ReportStores, MakeTheReportsThatTheyStandBeside) {
  const std::vector<std::string> files = packed();
  EXPECT_FALSE(files.empty());
  const Workplace place;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const fs::path store = unpacked(place, file);
    const std::uintmax_t bytes = fs::file_size(kReportFolder / "stores" / file);
    const auto trials = static_cast<std::uintmax_t>(store::listed_trials(store).size());
    EXPECT_LE(bytes, kMostBytes);
    EXPECT_LE(bytes, kMostBytesOfATrial * trials);
    const Finished doctor = place.ablate({"doctor", store.string(), "--without-weights"});
    EXPECT_EQ(doctor.exit_code, exit_ok) << doctor.output;
    EXPECT_EQ(place.ablate({"doctor", store.string()}).exit_code, exit_damaged) << "no weights";
    ASSERT_EQ(place.ablate({"report", store.string()}).exit_code, exit_ok);
    const std::string made = read_file(store / "report/report.md");
    const fs::path shipped = kReportFolder / (store.filename().string() + ".md");
    if (std::getenv("ABLATE_UPDATE_GOLDENS") != nullptr) write_file(shipped, made);
    EXPECT_EQ(read_file(shipped), made);
  }
}

TEST(ReportStores, OfOneChangedByteDoNotVerify) {
  const Workplace place;
  const fs::path store = unpacked(place, packed().front());
  const fs::path journal = store::listed_trials(store).begin()->second / "journal.jsonl";
  std::string bytes = read_file(journal);
  bytes[bytes.size() / 2] ^= 1;
  write_file(journal, bytes);
  EXPECT_EQ(place.ablate({"doctor", store.string(), "--without-weights"}).exit_code, exit_damaged);
}

}  // namespace
}  // namespace ablate
