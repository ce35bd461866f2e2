// Whole reports: the same records give the same files, in the formats asked for.

#include "reports/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <regex>
#include <set>

#include "reports/registry.h"
#include "tests/reports/files.h"
#include "tests/reports/probe_records.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;

TEST(Report, IsTheSameWhateverTheOrderOfTrials) {
  store::Records records = small_records();
  const auto files = files_of(records);
  std::reverse(records.trials.begin(), records.trials.end());
  EXPECT_EQ(files_of(records), files);
}

TEST(Report, EveryMeanOfTheMarkdownIsInTheJson) {
  const store::Records records = small_records();
  const std::string markdown = files_of(records).at("report.md");
  std::vector<double> numbers;
  const std::function<void(const Json&)> collect = [&](const Json& json) {
    if (json.is_number()) numbers.push_back(json.get<double>());
    if (json.is_structured()) {
      for (const Json& item : json) collect(item);
    }
  };
  collect(Report(records).json());
  const std::regex estimate(R"((-?[0-9.]+) ± [0-9.]+)");
  int seen = 0;
  for (auto at = std::sregex_iterator(markdown.begin(), markdown.end(), estimate);
       at != std::sregex_iterator(); ++at, ++seen) {
    const std::string text = (*at)[1];
    const double unit = text.find('.') == std::string::npos
                            ? 1
                            : std::pow(10, -static_cast<double>(text.size() - text.find('.') - 1));
    const auto near = [&](double number) {
      return std::abs(std::abs(number) - std::abs(std::stod(text))) <= .501 * unit;
    };
    EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), near)) << text;
  }
  EXPECT_GT(seen, 20);
}

TEST(Report, AnExperimentThatNeverRanStillHasOne) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial = {.id = trial.id, .arm = trial.arm, .seed = trial.seed, .outcome = "unfinished"};
  }
  const auto files = files_of(records);
  EXPECT_THAT(files.at("report.md"), HasSubstr("no trial of the baseline, clm, has ended."));
  EXPECT_THAT(files.at("report.md"), HasSubstr("- 2 of 2 arms have no records yet: clm, mlm.\n"));
}

/// How often a text says something.
std::size_t count_of_text(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Report, WarnsOnce) {
  store::Records records = small_records();
  records.plan["power"] = "with 6 seeds little can be found";
  records.plan["warnings"] = {"with 6 seeds little can be found", "the plan warns"};
  trial_of(records, "mlm", 3).outcome = "diverged";
  trial_of(records, "mlm", 3).message = "loss was nan";
  const std::string markdown = files_of(records).at("report.md");
  EXPECT_EQ(count_of_text(markdown, "the plan warns"), 1u);
  EXPECT_EQ(count_of_text(markdown, "mlm: 1 of 6 trials diverged"), 1u);
  EXPECT_EQ(count_of_text(markdown, "loss was nan"), 1u);
  EXPECT_EQ(count_of_text(markdown, "1 trial diverged against 0"), 1u);
  EXPECT_EQ(count_of_text(markdown, "with 6 seeds little"), 0u) << "part of the method";
  EXPECT_THAT(markdown, HasSubstr("With 5 seeds no p below"));
}

// A probe of a name of the user's own is still known as what it is.
TEST(Report, HeadsTheSectionsOfProbesWithWhatTheyAre) {
  store::Records records = small_records();
  for (Json& rows : records.plan["metrics"]) {
    rows.push_back(task_row("my_intents.accuracy"));
    rows.back()["subject"] = "Frozen probe: my intents";
    rows.push_back(task_row("your_intents.accuracy"));
  }
  for (store::TrialRecord& trial : records.trials)
    for (const char* name : {"my_intents.accuracy", "your_intents.accuracy"})
      trial.metrics[name] = .6;
  const std::string markdown = files_of(records).at("report.md");
  EXPECT_THAT(markdown, HasSubstr("## Frozen probe: my intents\n"));
  EXPECT_THAT(markdown, HasSubstr("## your intents\n")) << "its plan has no subjects";
}

TEST(Report, MarksWherePromptsEnd) {
  store::Records records = small_records();
  EXPECT_EQ(count_of_text(files_of(records).at("report.md"), "▸"), 0u);
  trial_of(records, "mlm", 1).samples = {{"w1 w2 w3", {{"given", 2}, {"prompt", "w1 w2"}}}};
  const std::string markdown = files_of(records).at("report.md");
  EXPECT_THAT(markdown, HasSubstr("w1 w2 ▸ w3"));
  EXPECT_THAT(markdown, HasSubstr("▸ marks where the prompt ends"));
  EXPECT_EQ(count_of_text(markdown, "prompt w1"), 0u) << "not among the details";
}

// What fills a blank is not read beside what was drawn freely.
TEST(Report, ShowsTheSamplesOfEachProbeApart) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    trial.samples = {{"fills of " + trial.arm, Json::object(), "infilling"},
                     {"draws of " + trial.arm, Json::object(), "generation"}};
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.samples.pop_back();
  const std::string markdown = files_of(records).at("report.md");
  const std::size_t drawn = markdown.find("## Generated samples\n"),
                    filled = markdown.find("## Samples of infilling\n");
  ASSERT_NE(drawn, markdown.npos);
  ASSERT_NE(filled, markdown.npos);
  EXPECT_LT(drawn, filled);
  EXPECT_EQ(markdown.substr(drawn, filled - drawn).find("fills of"), markdown.npos);
  EXPECT_EQ(markdown.substr(filled).find("draws of"), markdown.npos);
  EXPECT_THAT(markdown.substr(filled), HasSubstr("fills of mlm"));
}

TEST(Report, ShowsTheLineEndsOfSamples) {
  store::Records records = small_records();
  trial_of(records, "clm", 1).samples = {
      {"one<0x0A>two<0x09>three", {{"reference", "end<0x0A>"}}, "generation"}};
  const auto files = files_of(records);
  for (const char* name : {"report.md", "report.html"}) {
    EXPECT_THAT(files.at(name), HasSubstr("one↵two⇥three")) << name;
    EXPECT_THAT(files.at(name), HasSubstr("reference end↵")) << name;
  }
}

TEST(Report, UnknownFormatsAreRefused) {
  EXPECT_THAT(
      [] { make_report(small_records(), {"pdf"}); },
      testing::ThrowsMessage<std::invalid_argument>(
          "--format: no format is named 'pdf'; the formats are md, tex, html, svg, csv, json, "
          "zip"));
}

TEST(Report, WritesTheFormatsAskedFor) {
  const auto files = make_report(small_records(), {"csv"});
  std::vector<std::string> names;
  for (const ReportFile& file : files) names.push_back(file.name);
  EXPECT_THAT(names, testing::ElementsAre(
                         "trials.csv", "summary.csv", "wide.csv", "trials_wide.csv", "trends.csv",
                         "spikes.csv", "dynamics.csv", "overtaking.csv", "temperatures.csv",
                         "entropy_areas.csv", "curves.csv", "parts.csv", "similarity.csv",
                         "unpaired.csv", "sensitivity.csv", "items.csv"));
}

// A name that two files share is lost in the archive, and in a folder one of the files is.
TEST(Report, NoTwoFilesHaveOneName) {
  store::Records two_kinds = with_parts();  // masked arms score pairs by pseudo-log-likelihoods
  for (Json& rows : two_kinds.plan["metrics"])
    rows.push_back(metric_row("minimal_pairs.pseudo_accuracy", "fraction", "higher", "all arms"));
  for (store::TrialRecord& trial : two_kinds.trials) {
    if (trial.arm == "clm") continue;
    trial.metrics["minimal_pairs.pseudo_accuracy"] = .6;
    for (store::ScoreParts& parts : trial.parts) parts.metric = "minimal_pairs.pseudo_accuracy";
  }
  for (const store::Records& records : {small_records(), two_kinds}) {
    std::set<std::string> names;
    for (const ReportFile& file : make_report(records, all_formats()))
      EXPECT_TRUE(names.insert(file.name).second) << file.name;
  }
  const auto files = make_report(two_kinds, {"tex"});
  for (const char* const metric : {"accuracy", "pseudo-accuracy"})
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const ReportFile& file) {
      return file.name.find(fmt::format("minimal-pairs-{}-by-field", metric)) != file.name.npos;
    })) << metric;
}

TEST(Report, CarriesItsHeadlineSpeedLedgerCommitAndDateForPrograms) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    trial.ledger = {
        {"text_tokens", 6000}, {"flops", 3e9}, {"seconds", trial.seed % 2 == 0 ? 2 : 4}};
    trial.provenance = {{"commit", "abc1234"}};
    trial.ended = trial.seed == 5 ? "2026-01-02T03:04:06.000Z" : "2026-01-02T03:04:05.000Z";
  }
  const Json report = Report(records).json();
  EXPECT_EQ(report.at("headline").get<std::string>().substr(0, 19), "In held_out.excess,");
  EXPECT_EQ(report.at("commit"), Json({"abc1234"}));
  EXPECT_EQ(report.at("date"), "2026-01-02T03:04:06.000Z");
  EXPECT_EQ(report.at("ledger").at("clm").at("text_tokens"), 6000);
  EXPECT_EQ(report.at("ledger").at("clm").at("seconds"), 3);
  EXPECT_EQ(report.at("speed").at("mlm").at("tokens_per_second"), 2250);  // of 1,500 and 3,000
  records.trials.clear();
  const Json empty = Report(records).json();
  EXPECT_TRUE(empty.at("date").is_null() && empty.at("commit").empty());
  EXPECT_TRUE(empty.at("speed").at("clm").at("flops_per_second").is_null());
}

TEST(Report, EveryRowOfTheRegistryIsWrittenWhenItIsAskedFor) {
  const store::Records records = small_records();
  std::set<std::string_view> names;
  std::set<std::string> files;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    const auto written = make_report(records, {std::string(format.name)});
    EXPECT_FALSE(written.empty()) << format.name;
    for (const ReportFile& file : written) {
      EXPECT_FALSE(file.bytes.empty()) << file.name;
      EXPECT_TRUE(files.insert(file.name).second) << file.name;
    }
  }
  EXPECT_EQ(files_of(records).size(), files.size());
}

TEST(Report, IsWrittenInTheOrderOfTheRegistry) {
  std::vector<std::string> backwards = all_formats();
  std::reverse(backwards.begin(), backwards.end());
  const auto files = make_report(small_records(), backwards);
  EXPECT_EQ(files.front().name, "report.md");
  EXPECT_EQ(files.back().name, "report.json");
}

}  // namespace
}  // namespace ablate::reports
