// Many nights together: their list, and the steps of a benchmark.

#include "harness/nightly/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "harness/nightly/measure/night_file.h"
#include "reports/nightly/history_page.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class NightHistory : public testing::Test {
 protected:
  // A night whose benchmark takes about `seconds` on a machine.
  void add_night(const std::string& date, double seconds, const std::string& machine = "f00") {
    const Night night = {.folder = place.path() / "nights" / (date + "-abc"),
                         .date = date,
                         .commit = "abc",
                         .baseline = "main",
                         .pin = "p",
                         .fingerprint = machine,
                         .machine = Json::object()};
    fs::create_directories(night.folder);
    write_night(night);
    std::string lines;
    for (int i = 0; i < 5; ++i)
      lines += Json{{"series", "step/S"},
                    {"program", "now"},
                    {"repetition", i + 1},
                    {"value", seconds * (1 + 0.01 * rng.uniform())}}
                   .dump() +
               '\n';
    write_file(night.folder / "bench.jsonl", lines);
    if (judged) write_file(night.folder / "gate.json", R"({"verdict": "pass", "findings": []})");
  }

  bool judged = false;  // the nights that are added
  const TemporaryFolder place;
  const Home home{place.path()};
  Rng rng{1, Stream::probes};
};

TEST_F(NightHistory, FindsTheNightFromWhichABenchmarkIsSlower) {
  for (int day = 10; day < 22; ++day)
    add_night("2026-11-" + std::to_string(day), day < 16 ? 1 : 1.2);
  for (const StepMethod method : {StepMethod::potts, StepMethod::e_divisive}) {
    const History history = read_history(home, method);
    ASSERT_EQ(history.nights.size(), 12u);
    EXPECT_EQ(history.nights[0].verdict, "not judged");
    ASSERT_EQ(history.series.size(), 1u);
    ASSERT_EQ(history.series[0].steps.size(), 1u);
    const Step& step = history.series[0].steps[0];
    EXPECT_EQ(history.nights[step.first_after].date, "2026-11-16");
    EXPECT_EQ(step.last_before + 1, step.first_after);
    EXPECT_NEAR(step.ratio(), 1.2, 0.02);
  }
}

TEST_F(NightHistory, ASlowNightAloneIsNoStepAndMachinesAreApart) {
  for (int day = 10; day < 22; ++day)
    add_night("2026-11-" + std::to_string(day), day == 15 ? 1.2 : 1, day < 16 ? "f00" : "b42");
  const History history = read_history(home);
  ASSERT_EQ(history.series.size(), 2u);
  for (const SeriesHistory& series : history.series) EXPECT_TRUE(series.steps.empty());
}

TEST_F(NightHistory, ANightThatWasNotJudgedHasNoPage) {
  add_night("2026-11-10", 1);
  for (const auto& file : reports::history_files(read_history(home)))
    EXPECT_THAT(file.bytes, testing::Not(HasSubstr("nights/2026-11-10-abc"))) << file.name;
}

TEST_F(NightHistory, TimesThatAreNoneAreNoPartOfIt) {
  for (int day = 10; day < 14; ++day)
    add_night("2026-11-" + std::to_string(day), day == 12 ? 0 : 1);
  ASSERT_EQ(read_history(home).series.size(), 1u);
  EXPECT_EQ(read_history(home).series[0].times.size(), 3u);
}

TEST_F(NightHistory, PagesLeadToEachOther) {
  judged = true;
  for (int day = 10; day < 20; ++day)
    add_night("2026-11-" + std::to_string(day), day < 15 ? 1 : 1.2);
  const auto files = reports::history_files(read_history(home));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "index.html");
  EXPECT_EQ(files[1].name, "series/step-S.f00.html");
  EXPECT_THAT(files[0].bytes, HasSubstr("href=\"series/step-S.f00.html\""));
  EXPECT_THAT(files[0].bytes, HasSubstr("href=\"nights/2026-11-19-abc/index.html\""));
  EXPECT_THAT(files[1].bytes, HasSubstr("href=\"../nights/2026-11-10-abc/index.html\""));
  EXPECT_THAT(files[1].bytes, HasSubstr("<svg"));
}

TEST_F(NightHistory, NoNightsAreNone) {
  EXPECT_TRUE(read_history(home).nights.empty());
  EXPECT_THAT(reports::history_files({})[0].bytes, HasSubstr("0 nights"));
}

}  // namespace
}  // namespace ablate::nightly
