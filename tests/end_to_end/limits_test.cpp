// What every command that writes makes of a limit on the size of files (ulimit -f), and of memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "tests/end_to_end/program.h"
#include "tests/harness/store/fake_results.h"
#include "tests/limit.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

using store::testing_support::fake_plan;
using store::testing_support::write_trial;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::Finished;
using testing_support::tiny_experiment;
using testing_support::Workplace;

using Arguments = std::vector<std::string>;

class SmallFiles : public testing::Test {
 protected:
  SmallFiles() {
    store::freeze_plan(results, fake_plan({"clm", "mlm"}, 6), {{"experiment.json", "{}"}});
    for (int trial = 0; trial < 12; ++trial) write_trial(results, "t" + std::to_string(trial));
  }

  Finished limited(const Arguments& arguments, rlim_t bytes = 2048) const {
    const Limit limit(RLIMIT_FSIZE, bytes);
    return place.ablate(arguments);
  }

  void expect_said(const Arguments& arguments, const std::string& file, rlim_t bytes = 2048) const {
    const Finished finished = limited(arguments, bytes);
    EXPECT_EQ(finished.exit_code, exit_damaged) << arguments[0] << ": " << finished.errors;
    EXPECT_THAT(finished.errors,
                AllOf(HasSubstr(file), HasSubstr("File too large"), HasSubstr("free some space")))
        << arguments[0];
  }

  Workplace place;
  std::string experiment = place.write("tiny.json", tiny_experiment("{}")).string();
  fs::path results = place.folder() / "results";
  std::string home = (place.folder() / "nights").string();
};

TEST_F(SmallFiles, EndNoCommandBySignal) {
  const std::string folder = results.string();
  expect_said({"plan", experiment}, ".corpus");
  expect_said({"run", experiment, "--results", (place.folder() / "new").string()}, ".corpus");
  expect_said({"report", folder}, ": could not be written: ");
  expect_said({"export", folder, "--to", "csv", "--out", (place.folder() / "csv").string()},
              "csv.partial", 256);
  expect_said({"collect", (place.folder() / "all").string(), folder}, "all");
  expect_said({"doctor", folder, "--rebuild"}, "index.sqlite");
}

TEST_F(SmallFiles, LeaveNoHalfPinAndSayTheSameTwice) {
  for (int twice = 0; twice < 2; ++twice) {
    expect_said({"gate", "pin", "main", "--reason", "a test", "--home", home}, "programs/ablate");
    for (const auto& entry : fs::directory_iterator(fs::path(home) / "baselines/main"))
      ADD_FAILURE() << entry.path() << " is left";
  }
}

TEST_F(SmallFiles, AreNoDamageOfAnIndex) {
  EXPECT_EQ(limited({"doctor", results.string(), "--rebuild"}).output, "");
  EXPECT_EQ(limited({"doctor", results.string()}).exit_code, exit_ok);
  EXPECT_EQ(place.ablate({"doctor", results.string(), "--rebuild"}).exit_code, exit_ok);
}

TEST_F(SmallFiles, LetAReaderReadFromTheJournals) {
  const Finished status = limited({"status", results.string()});
  EXPECT_EQ(status.exit_code, exit_ok) << status.errors;
  EXPECT_THAT(status.errors, AllOf(HasSubstr("File too large"), HasSubstr("from the journals")));
}

TEST(LittleMemory, IsSaidInWordsWithAdvice) {
  const Workplace place;
  const fs::path file = place.write("large.csv", "");
  fs::resize_file(file, 1'000'000'000);  // a hole: it takes no space
  const Limit limit(RLIMIT_AS, 700'000'000);
  const Finished finished = place.ablate(
      {"gate", "import", "--csv", file.string(), "--home", (place.folder() / "home").string()});
  EXPECT_EQ(finished.exit_code, exit_failure);
  EXPECT_THAT(finished.errors,
              AllOf(HasSubstr("there is not enough memory"), HasSubstr("ulimit -v")));
}

}  // namespace
}  // namespace ablate
