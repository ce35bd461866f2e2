// The records of a night: suites, repetitions, pins, and the gate's verdict on them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "harness/nightly/programs/suite.h"
#include "reports/analysis/answer/statement.h"
#include "reports/nightly/annotations.h"
#include "reports/nightly/night_page.h"
#include "reports/web/html.h"
#include "tests/harness/nightly/night_records.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class NightRecords : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((place.path() / name).parent_path());
    write_file(place.path() / name, text);
    return place.path() / name;
  }

  std::string refusal_of(const std::string& suite) const {
    try {
      read_suite(write("suite.json", suite));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  }

  // A night with these repetitions, in seconds, of tonight's program; the baseline's take 1 s.
  Judged night_of(const std::vector<double>& now, const std::vector<double>& again = {},
                  const std::string& quarantined_until = "") const {
    Night night = a_night();
    night.filter = "step";
    night.now_benchmarks = night.baseline_benchmarks = {"step"};
    night.quarantine = {{"step", "ada", "flaky", quarantined_until}};
    write("nights/2026-11-23-abc/bench.jsonl", lines(now));
    if (!again.empty()) write("nights/2026-11-23-abc/confirm.jsonl", lines(again));
    write_night(night);
    return judge(night.folder);
  }

  // A night of which nothing was run yet; its folder is there.
  Night a_night() const {
    Night night = {.folder = place.path() / "nights/2026-11-23-abc",
                   .identity = {.date = "2026-11-23",
                                .baseline = "main",
                                .pin = "2026-11-20-def",
                                .fingerprint = "f00"},
                   .commit = "abc",
                   .finished = "2026-11-23T02:00:00.000Z",
                   .machine = {{"processor", "<b>a & b</b>"}}};
    fs::create_directories(night.folder);
    return night;
  }

  // The findings of a night, by series.
  std::map<std::string, Finding> judged(Night night) const {
    write_night(night);
    std::map<std::string, Finding> found;
    for (const Finding& finding : judge(night.folder).findings) found[finding.series] = finding;
    return found;
  }

  static std::string lines(const std::vector<double>& now) {
    std::vector<Json> repetitions;
    for (std::size_t i = 0; i < now.size(); ++i)
      for (const bool baseline : {false, true})
        repetitions.push_back({{"series", "step"},
                               {"unit", "s"},
                               {"repetition", i + 1},
                               {"program", baseline ? "baseline" : "now"},
                               {"value", baseline ? 1 + 1e-4 * static_cast<double>(i) : now[i]}});
    return testing_support::round_of(repetitions);
  }

  static std::vector<double> around(double centre) {
    std::vector<double> values;
    for (int i = 0; i < 15; ++i) values.push_back(centre + 1e-4 * i);
    return values;
  }

  const TemporaryFolder place;
};

TEST_F(NightRecords, ASuiteIsReadAndItsFaultsNamed) {
  write("e.json", "{}");
  const Suite suite = read_suite(write("suite.json", R"({
    // comments are fine
    "experiments": [{"file": "e.json", "set": ["seeds=2"],
                     "margins": [{"metric": "held_out.loss", "margin": 0.1},
                                 {"metric": "held_out.excess"}]}],
    "benchmarks": {"filter": "step"}})"));
  ASSERT_EQ(suite.experiments.size(), 1u);
  EXPECT_EQ(suite.experiments[0].name, "e");
  EXPECT_EQ(suite.experiments[0].flags, (std::vector<std::string>{"--set", "seeds=2"}));
  EXPECT_EQ(suite.experiments[0].margins.at("held_out.loss"), 0.1);
  EXPECT_EQ(suite.experiments[0].margins.at("held_out.excess"), std::nullopt) << "as calibrated";
  EXPECT_EQ(suite.repetitions, 15);
  EXPECT_THAT(refusal_of(R"({"experiment": []})"), HasSubstr("suite.json:1:2: error"));
  EXPECT_THAT(refusal_of(R"({"experiments": [{"file": "none.json"}]})"), HasSubstr("no such file"));
  EXPECT_THAT(refusal_of(R"({"experiments": [{"file": "e.json"}, {"file": "e.json"}]})"),
              HasSubstr("name is taken"));
  EXPECT_THAT(refusal_of(R"({"benchmarks": {"repetitions": 5}})"), HasSubstr("repetitions"));
  EXPECT_THAT(refusal_of(R"({"quarantine": [{"series": "s", "owner": "o", "reason": "r",
                             "until": "soon"}]})"),
              HasSubstr("2026-12-31"));
  EXPECT_THAT(refusal_of(R"({"experiments": [{"file": "e.json", "margins":
                             [{"metric": "m"}, {"metric": "m", "margin": 1}]}]})"),
              HasSubstr("has a margin already"));
  EXPECT_THAT(refusal_of(R"({"retired": [{"series": "s", "reason": ""}]})"),
              HasSubstr("say why it was removed"));
}

// A suite that asks for nothing passes every night.
TEST_F(NightRecords, ASuiteThatAsksForNothingIsRefused) {
  for (const char* const suite :
       {"{}", R"({"experiments": []})", R"({"experiments": [], "benchmarks": {"filter": ""}})"})
    EXPECT_THAT(refusal_of(suite), HasSubstr("asks for nothing")) << suite;
}

TEST_F(NightRecords, SuitesAndTheirExperimentsCanBeShippedOnes) {
  const Suite suite = read_suite("ablate:suites/nightly.json");
  EXPECT_EQ(suite.experiments.at(0).name, "quickstart");
  const Suite own =
      read_suite(write("suite.json", R"({"experiments": [{"file": "ablate:quickstart.json"}]})"));
  EXPECT_EQ(fs::canonical(own.experiments.at(0).file), fs::canonical(suite.experiments.at(0).file));
  EXPECT_THAT(refusal_of(R"({"experiments": [{"file": "ablate:none.json"}]})"),
              HasSubstr("no such file"));
}

TEST_F(NightRecords, GoogleBenchmarksTimesAreSeconds) {
  const Json document = {
      {"benchmarks",
       {{{"name", "a"},
         {"run_type", "iteration"},
         {"cpu_time", 5},
         {"real_time", 9},
         {"time_unit", "ns"}},
        {{"name", "a_mean"},
         {"run_type", "aggregate"},
         {"cpu_time", 5},
         {"real_time", 9},
         {"time_unit", "ns"}},
        {{"name", "b/real_time"}, {"cpu_time", 5}, {"real_time", 9}, {"time_unit", "ms"}},
        {{"name", "c"}, {"error_occurred", true}}}}};
  const auto times = times_in(document);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].first, "a") << "in the order in which they ran";
  EXPECT_DOUBLE_EQ(times[0].second, 5e-9);
  EXPECT_EQ(times[1].first, "b/real_time");
  EXPECT_DOUBLE_EQ(times[1].second, 9e-3);
  EXPECT_THROW(times_in(Json::array()), std::runtime_error);
}

TEST_F(NightRecords, TornLinesArePassedOverAndDamagedOnesAreNot) {
  EXPECT_TRUE(read_times(place.path() / "none.jsonl").empty());
  const fs::path file = write("bench.jsonl", lines({1, 2}) + R"({"series": "st)");
  EXPECT_EQ(read_times(file).at("step").at("now").values.size(), 2u);
  EXPECT_THROW(read_times(write("bench.jsonl", "junk\n" + lines({1}))), DamagedFile);
  EXPECT_THROW(read_times(write("bench.jsonl", testing_support::round_of({{{"series", 3}}}))),
               DamagedFile);
}

// A round that was cut off is measured anew, so its first repetitions do not count.
TEST_F(NightRecords, RepetitionsOfAnIncompleteRoundDoNotCount) {
  const std::string text = lines({1, 2});
  const std::size_t end = text.find_last_of('\n', text.size() - 2) + 1;
  EXPECT_TRUE(read_times(write("bench.jsonl", text.substr(0, end))).empty());
}

TEST_F(NightRecords, TheGateJudgesFromRecordsAlone) {
  EXPECT_EQ(night_of(around(1.0)).verdict, Verdict::pass);
  EXPECT_EQ(night_of(around(1.1)).verdict, Verdict::inconclusive) << "no second measurement";
  EXPECT_EQ(night_of(around(1.1), around(1.1)).verdict, Verdict::regression);
  EXPECT_EQ(night_of(around(1.1), around(1.0)).verdict, Verdict::pass);
}

TEST_F(NightRecords, AQuarantineHoldsUntilItsLastDay) {
  EXPECT_EQ(night_of(around(1.1), around(1.1), "2026-11-23").verdict, Verdict::pass);
  const Judged after = night_of(around(1.1), around(1.1), "2026-11-22");
  EXPECT_EQ(after.verdict, Verdict::regression);
  EXPECT_THAT(after.findings.front().reason, HasSubstr("has ended on 2026-11-22"));
}

TEST_F(NightRecords, PagesAreWrittenAndForeignTextIsInert) {
  EXPECT_THAT(reports::junit_xml(night_of(around(1.1))), HasSubstr("errors=\"1\""));
  const Judged judged = night_of(around(1.1), around(1.1));
  const auto files = reports::night_files(judged);
  ASSERT_EQ(files.size(), 4u);
  for (const reports::ReportFile& file : files) {
    EXPECT_THAT(file.bytes, HasSubstr("step")) << file.name;
    EXPECT_THAT(file.bytes, testing::Not(HasSubstr("><b>a"))) << file.name;
  }
  const std::string junit = reports::junit_xml(judged);
  EXPECT_THAT(junit, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""));
}

// Who reads JUnit alone must not take for green what is not.
TEST_F(NightRecords, JUnitHasAnErrorWhereThereIsNoDataAndWhatWasAskedForWhereItIsInconclusive) {
  using reports::InconclusiveAs;
  const Judged untold = night_of(around(1.1));
  EXPECT_THAT(reports::junit_xml(untold, InconclusiveAs::skipped), HasSubstr("skipped=\"1\""));
  EXPECT_THAT(reports::junit_xml(untold, InconclusiveAs::failure), HasSubstr("failures=\"1\""));
  const std::string none = reports::junit_xml(night_of({}), InconclusiveAs::skipped);
  EXPECT_THAT(none, HasSubstr("errors=\"1\""));
  EXPECT_THAT(none, HasSubstr("<error message=\"no data: "));
}

TEST_F(NightRecords, AnnotationsAreWhatGitHubReads) {
  Judged judged = night_of(around(1.1), around(1.1));
  judged.findings.front().series = "a:b,c";
  judged.findings.front().reason = "50 % slower\n::error::planted";
  EXPECT_EQ(reports::github_annotations(judged),
            "::error title=a%3Ab%2Cc::regression: 50 %25 slower%0A::error::planted\n");
  judged.findings.assign(30, {"s", Kind::exact, Verdict::changed, "new"});
  const std::string many = reports::github_annotations(judged);
  EXPECT_EQ(std::count(many.begin(), many.end(), '\n'), 10);
  EXPECT_THAT(many, HasSubstr("and 21 more"));
}

TEST_F(NightRecords, ADamagedNightSaysSo) {
  EXPECT_THROW(read_night(place.path()), std::runtime_error);
  write("night.json", "{}");
  EXPECT_THROW(read_night(place.path()), DamagedFile);
}

// Two commits of a day are not in the order of their names.
TEST_F(NightRecords, NightsAreInTheOrderOfTime) {
  const Home home(place.path());
  for (const auto& [name, finished] : {std::pair{"2026-11-23-bbb", "2026-11-23T02:00:00.000Z"},
                                       {"2026-11-23-aaa", "2026-11-23T03:00:00.000Z"},
                                       {"2026-11-22-ccc", ""}}) {
    Night night = {.folder = home.nights() / name,
                   .identity = {.date = std::string(name).substr(0, 10)},
                   .finished = finished,
                   .machine = Json::object()};
    fs::create_directories(night.folder);
    write_night(night);
  }
  std::vector<std::string> names;
  for (const fs::path& night : home.all_nights()) names.push_back(night.filename());
  EXPECT_EQ(names,
            (std::vector<std::string>{"2026-11-22-ccc", "2026-11-23-bbb", "2026-11-23-aaa"}));
}

TEST_F(NightRecords, ANightIsReadAsItWasWritten) {
  Night night = a_night();
  night.time_failures = {{"baseline", "crashed"}};
  night.calibration = {{{"step", 0.04}}, {{"e/clm/loss", {0.01, 8, 0.015}}}};
  night.identity.programs = {{"ablate", "aa"}, {"ablate-worker", "bb"}};
  night.identity.suite = "cc";
  night.repetitions = 15;
  night.now_benchmarks = {"step"};
  night.last = {"2026-11-22-abc", {{"step", Kind::speed}}};
  night.retired = {{"old/*", "moved"}};
  night.experiments.push_back({.name = "e", .margins = {{"loss", 0.5}, {"excess", std::nullopt}}});
  write_night(night);
  const Night read = read_night(night.folder);
  EXPECT_EQ(read.experiments.at(0).margins, night.experiments[0].margins);
  EXPECT_EQ(read.time_failures, night.time_failures);
  EXPECT_EQ(read.calibration.usual, night.calibration.usual);
  EXPECT_EQ(held_margins(read.calibration), (std::map<std::string, double>{{"e/clm/loss", 0.015}}));
  EXPECT_EQ(read.calibration.quality.at("e/clm/loss").seeds, 8);
  EXPECT_EQ(read.identity, night.identity);
  EXPECT_EQ(read.now_benchmarks, night.now_benchmarks);
  EXPECT_EQ(read.last.series, night.last.series);
  EXPECT_EQ(read.retired.at(0).reason, "moved");
}

// Until it is back, or was retired with a reason.
TEST_F(NightRecords, WhatTheLastNightHadIsMissed) {
  Night night = a_night();
  night.now_golden = night.baseline_golden = {{"clm", "version 1, aa"}};
  night.last = {"2026-11-22-abc",
                {{"objectives/clm/golden", Kind::exact},
                 {"old/clm/bits", Kind::exact},
                 {"old/clm/loss", Kind::quality},
                 {"step", Kind::speed}}};
  auto found = judged(night);
  EXPECT_EQ(found.size(), 4u);
  EXPECT_EQ(found.at("objectives/clm/golden").verdict, Verdict::pass);
  EXPECT_EQ(found.at("old/clm/loss").verdict, Verdict::no_data);
  EXPECT_EQ(found.at("old/clm/loss").kind, Kind::quality);
  EXPECT_THAT(found.at("step").reason, HasSubstr("the last night (2026-11-22-abc) had it"));
  EXPECT_EQ(judge(night.folder).verdict, Verdict::no_data);
  const LastNight again = last_night(Home(place.path()), "main");
  EXPECT_TRUE(again.series.contains("step")) << "the next night misses it, too";
  night.retired = {{"old/*", "moved to another suite"}, {"step", "superseded"}};
  found = judged(night);
  EXPECT_EQ(found.at("old/clm/bits").verdict, Verdict::changed);
  EXPECT_EQ(found.at("step").reason, "was retired: superseded");
  EXPECT_EQ(judge(night.folder).verdict, Verdict::pass);
  EXPECT_FALSE(last_night(Home(place.path()), "main").series.contains("step"));
  EXPECT_TRUE(last_night(Home(place.path()), "other").series.empty());
}

TEST_F(NightRecords, TheNoiseOfMetricsIsAddedToACalibration) {
  const Home home(place.path() / "home");
  const fs::path file = add_noise(home, {{"e/clm/loss", {0.01, 8, 0.015}}}, "results/noise");
  EXPECT_EQ(file, home.calibration(fingerprint_of(describe_machine())));
  EXPECT_EQ(held_margins(read_calibration(file)),
            (std::map<std::string, double>{{"e/clm/loss", 0.015}}));
  Json timed = read_checked_document(file);
  timed["usual_log_ratio"]["step"] = 0.1;
  timed["pairs"] = 10;
  write_file(file, checksummed_text(timed));
  add_noise(home, {{"e/clm/loss", {0.02, 8, 0.03}}, {"e/mlm/loss", {0.02, 1, INFINITY}}}, "other");
  const Calibration both = read_calibration(file);
  EXPECT_EQ(both.usual.at("step"), 0.1) << "what was timed stays";
  EXPECT_EQ(held_margins(both), (std::map<std::string, double>{{"e/clm/loss", 0.03}}))
      << "one seed holds no margin";
  EXPECT_EQ(Json::parse(read_file(file)).at("pairs"), 10);
  EXPECT_EQ(Json::parse(read_file(file)).at("noise_from").at("e/clm/loss"), "other");
}

TEST_F(NightRecords, PreviewsAreComparedExactly) {
  Night night = a_night();
  night.experiments.push_back(
      {.name = "e",
       .now_failure = "none was trained",
       .baseline_failure = "none was trained",
       .now_previews = {{"same", "1"}, {"other", "2"}, {"new", "3"}},
       .baseline_previews = {{"same", "1"}, {"other", "1"}, {"lost", "3"}}});
  const auto found = judged(night);
  EXPECT_EQ(found.at("e/same/preview").verdict, Verdict::pass);
  EXPECT_EQ(found.at("e/other/preview").verdict, Verdict::regression);
  EXPECT_EQ(found.at("e/new/preview").verdict, Verdict::changed);
  EXPECT_EQ(found.at("e/lost/preview").verdict, Verdict::no_data);
}

TEST_F(NightRecords, GoldenVectorsChangeOnlyWithTheVersion) {
  Night night = a_night();
  night.now_golden = {{"same", "version 1, aa"},
                      {"other", "version 1, bb"},
                      {"raised", "version 2, bb"},
                      {"new", "version 1, aa"}};
  night.baseline_golden = {{"same", "version 1, aa"},
                           {"other", "version 1, aa"},
                           {"raised", "version 1, aa"},
                           {"lost", "version 1, aa"}};
  const auto found = judged(night);
  EXPECT_EQ(found.at("objectives/same/golden").verdict, Verdict::pass);
  EXPECT_EQ(found.at("objectives/other/golden").verdict, Verdict::regression);
  EXPECT_THAT(found.at("objectives/other/golden").reason, testing::HasSubstr("still version 1"));
  EXPECT_EQ(found.at("objectives/raised/golden").verdict, Verdict::changed);
  EXPECT_EQ(found.at("objectives/raised/golden").reason, "version 1 before, version 2 now");
  EXPECT_EQ(found.at("objectives/new/golden").verdict, Verdict::changed);
  EXPECT_EQ(found.at("objectives/lost/golden").verdict, Verdict::no_data);
}

TEST_F(NightRecords, ANightWithoutDataIsNotCalledInconclusive) {
  const auto answer = [&](const std::vector<double>& now) {
    return reports::text_of(reports::night_page(night_of(now)).answer);
  };
  EXPECT_THAT(answer({}), testing::StartsWith("No data: 1 without data: "));
  EXPECT_THAT(answer(around(1.1)), testing::StartsWith("Inconclusive: 1 inconclusive: "));
}

TEST_F(NightRecords, APageHasTheColourOfItsVerdictAndFoldsWhatPasses) {
  const reports::Document page = reports::night_page(night_of({}));
  EXPECT_EQ(page.tone, reports::Tone::neutral);
  EXPECT_FALSE(page.sections.front().folded) << "what is to be looked at";
  for (std::size_t i = 1; i < page.sections.size(); ++i)
    EXPECT_TRUE(page.sections[i].folded) << page.sections[i].name;
}

TEST_F(NightRecords, APageLeadsToTheHistoryOfASeriesThatHasOne) {
  const auto page = [&](const std::vector<double>& now) {
    return reports::html_page(reports::night_page(night_of(now)));
  };
  EXPECT_THAT(page(around(1.1)), HasSubstr("href=\"../../series/step-"));
  EXPECT_THAT(page({}), Not(HasSubstr("href=\"../../series/step-"))) << "it never had a value";
  EXPECT_THAT(page(around(1.1)), Not(HasSubstr("href=\"../../series/benchmarks-")))
      << "a program's ending has no history";
}

TEST_F(NightRecords, CalibrationsOfEarlierVersionsAndDamagedOnes) {
  EXPECT_TRUE(read_calibration(place.path() / "none.json").usual.empty());
  const Json timed = {{"usual_log_ratio", {{"step", 0.1}}}};
  EXPECT_EQ(read_calibration(write("c.json", checksummed_text(timed))).usual.at("step"), 0.1);
  EXPECT_THROW(read_calibration(write("c.json", timed.dump())), DamagedFile) << "no checksum";
  EXPECT_THROW(read_calibration(write("c.json", "{}")), DamagedFile);
  EXPECT_THROW(read_calibration(write("c.json", "junk")), DamagedFile);
}

TEST_F(NightRecords, PinsAreReadInOrderAndDamageIsFound) {
  const Home home(place.path() / "home");
  EXPECT_TRUE(home.pins("main").empty());
  EXPECT_THROW(home.pins("../main"), std::invalid_argument);
  using testing_support::pin_of;
  const std::string pins =
      testing_support::pins_text({pin_of("p1", "c1", "r"), pin_of("p2", "c2", "r")});
  write("home/baselines/main/pins.jsonl", pins);
  ASSERT_EQ(home.pins("main").size(), 2u);
  EXPECT_EQ(home.pins("main").back().commit, "c2");
  write("home/baselines/main/pins.jsonl", "{}\n");
  EXPECT_THROW(home.pins("main"), DamagedFile);
}

class VerdictFile : public testing::Test {
 protected:
  StoredVerdict read(const Json& document) const {
    const std::filesystem::path file = folder_.path() / "gate.json";
    write_file(file, checksummed_text(document));
    return read_verdict(file);
  }

  TemporaryFolder folder_;
};

Json verdict_with(const Json& finding) {
  return {{"verdict", "pass"}, {"counts", {{"pass", 1}}}, {"findings", Json::array({finding})}};
}

TEST_F(VerdictFile, KeepsWhatHistoriesAreMadeOf) {
  const StoredVerdict verdict = read(verdict_with({{"series", "quickstart/clm/held_out.loss"},
                                                   {"kind", "quality"},
                                                   {"verdict", "pass"},
                                                   {"reason", "no worse"},
                                                   {"numbers",
                                                    {{"now", 2.5},
                                                     {"baseline", 2.25},
                                                     {"margin", 0.1},
                                                     {"better", "lower"},
                                                     {"unit", "nats"},
                                                     {"confirmation", Json::object()}}}}));
  EXPECT_EQ(verdict.verdict, "pass");
  EXPECT_EQ(verdict.counts.at("pass"), 1);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const StoredFinding& finding = verdict.findings[0];
  EXPECT_EQ(finding.kind, "quality");
  EXPECT_EQ(finding.reason, "no worse");
  EXPECT_EQ(finding.numbers.now, 2.5);
  EXPECT_EQ(finding.numbers.baseline, 2.25);
  EXPECT_EQ(finding.numbers.margin, 0.1);
  EXPECT_FALSE(finding.numbers.ratio);
  EXPECT_EQ(finding.numbers.unit, "nats");
  EXPECT_TRUE(finding.numbers.confirmation);
}

TEST_F(VerdictFile, HasNoNumberWhereItIsNone) {
  const StoredVerdict verdict = read(
      verdict_with({{"series", "s"}, {"verdict", "no data"}, {"numbers", {{"now", nullptr}}}}));
  EXPECT_FALSE(verdict.findings.at(0).numbers.now);
}

TEST_F(VerdictFile, IsRefusedWhereItIsNone) {
  for (const Json& document :
       {Json::object(), verdict_with(3), verdict_with({{"series", "s"}}),
        verdict_with({{"series", 3}, {"verdict", "pass"}}), Json({{"verdict", "pass"}}),
        Json({{"verdict", "pass"}, {"counts", 3}, {"findings", Json::array()}}),
        Json({{"verdict", "pass"}, {"counts", Json::object()}, {"findings", Json::object()}})}) {
    try {
      read(document);
      ADD_FAILURE() << document;
    } catch (const DamagedFile& error) {
      EXPECT_THAT(error.what(), HasSubstr("gate.json: is no verdict (")) << document;
      EXPECT_THAT(error.what(), HasSubstr("; ablate gate judge makes it anew")) << document;
    }
  }
}

}  // namespace
}  // namespace ablate::nightly
