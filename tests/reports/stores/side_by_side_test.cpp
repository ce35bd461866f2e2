// Several results folders in one report.

#include "reports/stores/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/compose.h"
#include "tests/reports/files.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The small experiment on the text of that hash, with a probe of so many texts.
store::Records small_on(const std::string& text, int texts = 100) {
  store::Records records = small_records();
  records.plan["corpora"] = {{{"name", "main"}, {"hash", text}}};
  records.plan["trials"] = {{{"id", "t"},
                             {"arm", "clm"},
                             {"seed", 1},
                             {"probes", {{{"id", "x"}, {"type", "held_out"}, {"texts", texts}}}}}};
  return records;
}

store::Records renamed(store::Records records, const std::string& from, const std::string& to) {
  for (Json& arm : records.plan["arms"])
    if (arm["name"] == from) arm["name"] = to;
  records.plan["metrics"][to] = records.plan["metrics"][from];
  records.plan["metrics"].erase(from);
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == from) trial.arm = to;
  return records;
}

std::vector<std::string> arms_of(const store::Records& records) {
  std::vector<std::string> names;
  for (const Json& arm : records.plan["arms"]) names.push_back(arm["name"]);
  return names;
}

std::vector<std::string> warnings_of(const store::Records& records) {
  return records.plan["warnings"].get<std::vector<std::string>>();
}

TEST(SideBySide, NamesArmsByTheirStoreWhereTheyClash) {
  const store::Records all =
      side_by_side({{"here", small_on("t")}, {"there", renamed(small_on("t"), "mlm", "span")}});
  EXPECT_THAT(arms_of(all), ElementsAre("here: clm", "mlm", "there: clm", "span"));
  const Analysis analysis = analyse(all);
  EXPECT_EQ(analysis.trials(), 24);
  EXPECT_EQ(analysis.baseline()->name, "here: clm");
  for (const ArmResult& arm : analysis.arms) EXPECT_EQ(arm.completed, 6) << arm.name;
}

TEST(SideBySide, ComparesWhatWasTrainedOnTheSameText) {
  const store::Records all = side_by_side({{"here", small_on("t")}, {"there", small_on("t")}});
  const Analysis analysis = analyse(all);
  const Difference* const same = analysis.difference("there: clm", "held_out.excess");
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(*same->over_seeds.mean, 0);
  EXPECT_EQ(analysis.difference("there: mlm", "held_out.excess")->verdict,
            analysis.difference("here: mlm", "held_out.excess")->verdict);
  EXPECT_EQ(analysis.comparisons, 3);
  EXPECT_THAT(warnings_of(all), Not(Contains(HasSubstr("Nothing is compared"))));
  EXPECT_THAT(warnings_of(all), Contains(HasSubstr("declared by no experiment")));
}

TEST(SideBySide, ComparesNothingAcrossDifferentText) {
  const store::Records all = side_by_side(
      {{"here", small_on("aaaaaaaaaaaaaaaa")}, {"there", small_on("bbbbbbbbbbbbbbbb")}});
  const Analysis analysis = analyse(all);
  for (const Difference& difference : analysis.differences)
    EXPECT_EQ(
        difference.verdict == statistics::Verdict::incomparable || difference.arm == "here: mlm",
        true)
        << difference.arm;
  EXPECT_EQ(
      analysis.difference("there: mlm", "held_out.excess")->note,
      "its results folder was trained on different text, or its probes have different settings");
  EXPECT_EQ(analysis.comparisons, 1);
  EXPECT_THAT(warnings_of(all),
              Contains("Nothing is compared between here and there: they trained on different text "
                       "(corpus aaaaaaaaaaaa against bbbbbbbbbbbb)."));
  const std::string markdown = files_of(all).at("report.md");
  EXPECT_THAT(markdown, HasSubstr("Nothing is compared between here and there"));
  EXPECT_THAT(markdown, HasSubstr("The results that this report puts side by side"));
}

TEST(SideBySide, ComparesNothingAcrossOtherwiseSetProbes) {
  const store::Records all =
      side_by_side({{"here", small_on("t", 100)}, {"there", small_on("t", 200)}});
  EXPECT_THAT(warnings_of(all), Contains("Nothing is compared between here and there: the probe "
                                         "held_out was set otherwise."));
  EXPECT_EQ(analyse(all).comparisons, 1);
}

TEST(SideBySide, ComparesProbesThatMeasureOnTheWay) {
  const auto measured_at = [](std::vector<std::int64_t> steps, const std::string& ids) {
    store::Records records = small_on("t");
    Json& probe = records.plan["trials"][0]["probes"][0];
    probe["id"] = ids;
    for (const std::int64_t step : steps)
      probe["at"].push_back({{"step", step}, {"id", ids + std::to_string(step)}});
    return records;
  };
  const store::Records first = measured_at({100, 200}, "a");
  for (const auto& [steps, why] :
       {std::pair<std::vector<std::int64_t>, const char*>{{100, 200}, "other ids"},
        {{90, 180}, "other steps"},
        {{}, "none on the way"}}) {
    const store::Records all = side_by_side({{"here", first}, {"there", measured_at(steps, "b")}});
    EXPECT_THAT(warnings_of(all), Not(Contains(HasSubstr("Nothing is compared")))) << why;
    EXPECT_EQ(analyse(all).comparisons, 3) << why;
  }
}

TEST(SideBySide, SaysThatAnAnalysisIsThatOfTheFirst) {
  store::Records other = small_on("t");
  other.plan["analysis"]["primary"] = "topic.accuracy";
  const store::Records all = side_by_side({{"here", small_on("t")}, {"there", other}});
  EXPECT_EQ(analyse(all).primary, "held_out.excess");
  EXPECT_THAT(warnings_of(all), Contains("there declared another analysis than here, whose is used "
                                         "for all arms."));
}

TEST(SideBySide, HasEveryFormat) {
  const store::Records all = side_by_side({{"here", small_on("t")}, {"there", small_on("u")}});
  const auto files = files_of(all);
  EXPECT_THAT(files.at("report.html"), HasSubstr("there: mlm"));
  EXPECT_THAT(files.at("paper/main.tex"), HasSubstr("there: mlm"));
  EXPECT_EQ(Json::parse(files.at("report.json"))["arms"].size(), 4u);
}

}  // namespace
}  // namespace ablate::reports
