// Many nights together: their list, and the steps of a benchmark.

#include "harness/nightly/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "harness/nightly/measure/night_file.h"
#include "reports/nightly/history_page.h"
#include "reports/nightly/series_text.h"
#include "tests/harness/nightly/night_records.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

using testing::HasSubstr;
using testing_support::pin_of;
using testing_support::pins_text;
using testing_support::round_of;
using testing_support::write_verdict;
namespace fs = std::filesystem;

class NightHistory : public testing::Test {
 protected:
  // A night whose benchmark takes about `seconds` on a machine.
  void add_night(const std::string& date, double seconds, const std::string& machine = "f00") {
    Night night = {
        .folder = place.path() / "nights" / (date + "-abc"),
        .identity = {.date = date, .baseline = "main", .pin = "p", .fingerprint = machine},
        .commit = "abc",
        .machine = Json::object()};
    fs::create_directories(night.folder);
    std::vector<Json> repetitions;
    for (int i = 0; i < 5; ++i)
      repetitions.push_back({{"series", "step/S"},
                             {"program", "now"},
                             {"repetition", i + 1},
                             {"value", seconds * (1 + 0.01 * rng.uniform())}});
    write_file(night.folder / "bench.jsonl", round_of(repetitions));
    write_night(night);
    if (judged) write_verdict(night.folder, {{"verdict", "pass"}});
  }

  // A judged night of one metric and one exact series.
  void add_judged(const std::string& date, const std::string& commit, const std::string& pin,
                  double loss, const std::string& digest) {
    Night night = {.folder = place.path() / "nights" / (date + '-' + commit),
                   .identity = {.date = date, .baseline = "main", .pin = pin, .fingerprint = "f00"},
                   .commit = commit,
                   .machine = Json::object(),
                   .quarantine = quarantine};
    fs::create_directories(night.folder);
    write_night(night);
    const Json metric = {{"series", "e/clm/loss"},
                         {"kind", "quality"},
                         {"verdict", "pass"},
                         {"numbers",
                          {{"now", loss},
                           {"baseline", 2},
                           {"better", "lower"},
                           {"unit", "nats/token"},
                           {"margin", 0.05}}}};
    const Json bits = {{"series", "e/clm/bits"},
                       {"kind", "exact"},
                       {"verdict", digest == "aaa" ? "pass" : "changed"},
                       {"numbers", {{"digest", digest}}}};
    write_verdict(night.folder, {{"verdict", "pass"}, {"findings", {metric, bits}}});
  }

  // Ten nights: from the sixth on other bits and a worse loss, from the ninth on another pin.
  void add_ten_judged() {
    for (int day = 10; day < 20; ++day)
      add_judged("2026-11-" + std::to_string(day), "c" + std::to_string(day),
                 day < 18 ? "first" : "second", day < 15 ? 2 : 2.1, day < 15 ? "aaa" : "bbb");
  }

  static std::string page_of(const std::vector<reports::ReportFile>& files,
                             const std::string& part) {
    for (const auto& file : files)
      if (file.name.find(part) != file.name.npos) return file.bytes;
    return "no page of " + part;
  }

  bool judged = false;                 // the nights that are added
  std::vector<Quarantine> quarantine;  // of those that add_judged() adds
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
  EXPECT_EQ(read_history(home).series[0].values.size(), 3u);
}

TEST_F(NightHistory, PagesLeadToEachOther) {
  judged = true;
  for (int day = 10; day < 20; ++day)
    add_night("2026-11-" + std::to_string(day), day < 15 ? 1 : 1.2);
  const auto files = reports::history_files(read_history(home));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "index.html");
  EXPECT_THAT(files[1].name, testing::MatchesRegex("series/step-S-[0-9a-f]+\\.f00\\.html"));
  EXPECT_THAT(files[0].bytes, HasSubstr("href=\"" + files[1].name + "\""));
  EXPECT_THAT(files[0].bytes, HasSubstr("href=\"nights/2026-11-19-abc/index.html\""));
  EXPECT_THAT(files[1].bytes, HasSubstr("href=\"../nights/2026-11-10-abc/index.html\""));
  EXPECT_THAT(files[1].bytes, HasSubstr("<svg"));
}

TEST_F(NightHistory, SeriesWithNamesThatAreNearlyAlikeHavePagesOfTheirOwn) {
  History history = {.nights = {{.name = "n"}}};
  for (const char* const name : {"a/b", "a-b", "a_b"})
    history.series.push_back({.series = name, .fingerprint = "f00", .values = {{0, 1, 1, 1}}});
  std::set<std::string> names;
  for (const auto& file : reports::history_files(history)) names.insert(file.name);
  EXPECT_EQ(names.size(), 4u);
  const std::string long_name(400, 'x');
  EXPECT_LT(reports::series_file(long_name, "f00").size(), 200u);
  EXPECT_NE(reports::series_file(long_name, "f00"), reports::series_file(long_name + 'x', "f00"));
}

TEST_F(NightHistory, AMetricTakesAStepByItsMargin) {
  add_ten_judged();
  const History history = read_history(home);
  ASSERT_EQ(history.series.size(), 1u);
  const SeriesHistory& loss = history.series[0];
  EXPECT_EQ(loss.kind, Kind::quality);
  EXPECT_EQ(loss.unit, "nats/token");
  EXPECT_EQ(loss.values.size(), 10u);
  EXPECT_EQ(loss.values[0].baseline, 2.0);
  ASSERT_EQ(loss.steps.size(), 1u);
  EXPECT_EQ(history.nights[loss.steps[0].first_after].commit, "c15");
  EXPECT_NEAR(loss.steps[0].after - loss.steps[0].before, 0.1, 1e-12);
}

TEST_F(NightHistory, AMetricThatMovesByLessThanItsMarginTakesNone) {
  for (int day = 10; day < 20; ++day)
    add_judged("2026-11-" + std::to_string(day), "abc", "first", day < 15 ? 2 : 2.04, "aaa");
  EXPECT_TRUE(read_history(home).series.at(0).steps.empty());
}

TEST_F(NightHistory, ExactSeriesSayWhenTheirBitsChanged) {
  add_ten_judged();
  const History history = read_history(home);
  ASSERT_EQ(history.exact.size(), 1u);
  EXPECT_EQ(history.exact[0].nights.size(), 10u);
  EXPECT_EQ(history.exact[0].changes, std::vector<std::size_t>{5}) << "and not every night since";
}

TEST_F(NightHistory, MetricsAndExactSeriesHavePagesWithStepsCommitsAndPins) {
  add_ten_judged();
  fs::create_directories(place.path() / "baselines/main");
  write_file(place.path() / "baselines/main/pins.jsonl",
             pins_text({pin_of("second", "c17", "a larger batch")}));
  const auto files = reports::history_files(read_history(home));
  ASSERT_EQ(files.size(), 3u);
  EXPECT_THAT(files[0].bytes, HasSubstr("10 nights, 0 benchmarks, 1 metric, 1 exact series."));
  const std::string loss = page_of(files, "loss"), bits = page_of(files, "bits");
  for (const std::string& page : {files[0].bytes, loss, bits})
    EXPECT_THAT(page, HasSubstr("c14..c15"));
  for (const std::string& page : {loss, bits}) {
    EXPECT_THAT(page, HasSubstr("a larger batch"));
    EXPECT_THAT(page, HasSubstr("nights/2026-11-18-c18/index.html"));
  }
  EXPECT_THAT(loss, HasSubstr("2 nats/token to 2.1 nats/token"));
  EXPECT_THAT(loss, HasSubstr(">pin</text>"));
  EXPECT_THAT(bits, HasSubstr("Its bits last changed in 2026-11-15-c15."));
}

TEST_F(NightHistory, TheFirstPageHasTheLatestVerdictsColourAndACourseOfEachSeries) {
  add_ten_judged();
  const std::string page = page_of(reports::history_files(read_history(home)), "index");
  EXPECT_THAT(page, HasSubstr("class=\"answer good\""));
  EXPECT_THAT(page, HasSubstr("<svg class=\"spark\""));
  EXPECT_LT(page.find("id=\"steps\""), page.find("id=\"nights\"")) << "what changed comes first";
}

TEST_F(NightHistory, PagesSayWhatIsInQuarantine) {
  add_judged("2026-11-10", "c10", "p", 2, "aaa");
  quarantine = {{"e/clm/loss", "bob", "of old", "2026-11-01"},
                {"e/clm/loss", "ada", "the <cache> lands", "2026-11-12"}};
  for (const char* day : {"11", "12"})
    add_judged(std::string("2026-11-") + day, std::string("c") + day, "p", 2.1, "bbb");
  auto files = reports::history_files(read_history(home));
  EXPECT_THAT(page_of(files, "loss"), HasSubstr("In quarantine until 2026-11-12."));
  EXPECT_THAT(page_of(files, "loss"), HasSubstr("the &lt;cache&gt; lands"));
  EXPECT_THAT(page_of(files, "loss"), HasSubstr("nights/2026-11-11-c11/index.html"));
  EXPECT_THAT(page_of(files, "bits"), testing::Not(HasSubstr("uarantine")));
  add_judged("2026-11-13", "c13", "p", 2.1, "bbb");
  files = reports::history_files(read_history(home));
  EXPECT_THAT(page_of(files, "loss"), HasSubstr("Its quarantine ended on 2026-11-12."));
}

TEST_F(NightHistory, OneNightIsNoPlural) {
  add_night("2026-11-10", 1);
  const auto files = reports::history_files(read_history(home));
  EXPECT_THAT(files[0].bytes, HasSubstr("1 night, 1 benchmark, 0 metrics"));
  EXPECT_THAT(files[1].bytes, HasSubstr("1 night on machine f00."));
}

TEST_F(NightHistory, NoNightsAreNone) {
  EXPECT_TRUE(read_history(home).nights.empty());
  EXPECT_THAT(reports::history_files({})[0].bytes, HasSubstr("0 nights"));
}

}  // namespace
}  // namespace ablate::nightly
