// Reports of more trials than a page can name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "reports/analysis/compare.h"
#include "reports/report.h"
#include "reports/tables/record_tables.h"
#include "tests/reports/files.h"
#include "tests/reports/found.h"
#include "tests/reports/records.h"

namespace ablate::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two arms with so many seeds each. One trial of the second failed.
store::Records with_seeds(std::int64_t seeds) {
  store::Records records = small_records();
  records.trials.clear();
  for (std::int64_t seed = 1; seed <= seeds; ++seed) {
    const double noise = 0.001 * static_cast<double>(seed * 7919 % 101);
    records.trials.push_back(small_trial("clm", seed, .2 + noise));
    records.trials.push_back(small_trial("mlm", seed, .7 - noise));
  }
  trial_of(records, "mlm", 3).outcome = "failed";
  trial_of(records, "mlm", 3).metrics.clear();
  return records;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

TEST(ManyTrials, AreNotNamedOnThePageButForThoseThatFailed) {
  const auto files = files_of(with_seeds(1 + kMostTrialsNamed / 2));
  const std::string& page = files.at("report.html");
  EXPECT_EQ(count_of(page, "id=\"trial-"), 1u);
  EXPECT_EQ(count_of(page, "href=\"#trial-"), 0u) << "no link leads nowhere";
  EXPECT_THAT(page, HasSubstr("Trials that did not complete, of 2002 trials"));
  EXPECT_THAT(page, HasSubstr("value is in trials_wide.csv"));
  EXPECT_LT(page.size(), 1u << 20);
  EXPECT_EQ(count_of(files.at("trials_wide.csv"), "\n"), 2003u);
}

TEST(ManyTrials, AboveTwentyThousandHaveTheirValuesInOneTable) {
  const store::Records most = with_seeds(kMostTrialsInRows / 2),
                       more = with_seeds(1 + kMostTrialsInRows / 2);
  const auto names_of = [](const store::Records& records) {
    std::set<std::string> names;
    for (const ReportFile& file : make_report(records, {"csv"})) names.insert(file.name);
    return names;
  };
  EXPECT_TRUE(names_of(most).contains("trials.csv"));
  EXPECT_FALSE(names_of(more).contains("trials.csv"));
  EXPECT_TRUE(names_of(more).contains("trials_wide.csv"));
  for (const auto& [records, has_values] : {std::pair(&most, true), std::pair(&more, false)}) {
    const Json report = json_of(*records);
    const Json& of_arm = report.at("arms").at(0).at("metrics").at("held_out.excess");
    EXPECT_TRUE(of_arm.at("mean").is_number());
    EXPECT_EQ(of_arm.at("values").is_array(), has_values);
    EXPECT_EQ(report.at("differences").at(0).at("values").is_array(), has_values);
  }
}

TEST(ManyTrials, UpToTwoThousandAreAllNamed) {
  const auto files = files_of(with_seeds(kMostTrialsNamed / 2));
  EXPECT_EQ(count_of(files.at("report.html"), "id=\"trial-"),
            static_cast<std::size_t>(kMostTrialsNamed));
  EXPECT_THAT(files.at("report.html"), Not(HasSubstr("Trials that did not complete, of")));
}

TEST(ManyTrials, AreDrawnAsAHundredDotsOfAnArm) {
  const store::Records records = with_seeds(250);
  const Analysis analysis = analyse(records);
  const auto figure = shown<Figure>(analysis, "forest");
  ASSERT_EQ(figure.plots.size(), 1u);
  const std::vector<double>& dots = figure.plots[0].rows.at(0).dots;
  EXPECT_EQ(dots.size(), 100u);
  const auto values = present_values(analysis.difference("mlm", "held_out.excess")->over_seeds);
  EXPECT_EQ(dots.front(), std::ranges::min(values));
  EXPECT_EQ(dots.back(), std::ranges::max(values));
  EXPECT_THAT(figure.caption, HasSubstr("Of more than 100 seeds, 100 are drawn"));
  const store::Records fewer = with_seeds(100);
  EXPECT_THAT(shown<Figure>(analyse(fewer), "forest").caption, Not(HasSubstr("are drawn")));
}

}  // namespace
}  // namespace ablate::reports
