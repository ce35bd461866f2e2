// Arms over several tasks.

#include "reports/analysis/tasks/task_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "reports/figures/tasks/rank_layout.h"
#include "reports/figures/tasks/task_figures.h"
#include "tests/reports/files.h"
#include "tests/reports/task_records.h"

namespace ablate::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TaskComparison, NeedsTwoTasksAndTwoArms) {
  for (const auto& [tasks, arms, there] :
       {std::tuple(1, 2, false), std::tuple(5, 1, false), std::tuple(2, 2, true)}) {
    const store::Records records =
        with_tasks(tasks, std::vector<double>(static_cast<std::size_t>(arms), .5));
    const Analysis analysis = analyse(records);
    EXPECT_EQ(compare_tasks(analysis).has_value(), there) << tasks << " " << arms;
  }
  EXPECT_THAT(rank_diagram(std::nullopt).plots, IsEmpty());
}

TEST(TaskComparison, TellsArmsApartFromFiveTasksOnAndElseSaysWhyNot) {
  const store::Records two = with_tasks(2, {.3, .5}), five = with_tasks(5, {.3, .5}),
                       six = with_tasks(6, {.3, .5});
  const auto files = files_of(two);
  EXPECT_TRUE(files.contains("paper/figures/profiles.csv"));
  EXPECT_FALSE(files.contains("paper/figures/ranks.tex"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("The arms over 2 tasks"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("no critical-difference diagram is drawn: that "
                                               "takes 5 tasks or more"));
  EXPECT_THAT(files_of(five).at("report.md"),
              HasSubstr("Nothing could have been told apart: with 5 tasks and 2 arms the smallest "
                        "p is 0.062"));
  EXPECT_THAT(files_of(six).at("report.md"), HasSubstr("Every two arms are told apart."));
}

TEST(TaskComparison, RanksAndAggregatesByHand) {
  const store::Records records = with_tasks(6, {.3, .5, .4});
  const Analysis analysis = analyse(records);
  const auto comparison = compare_tasks(analysis);
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->mean_ranks, ElementsAre(3, 1, 2));
  // Scores .3 + .02 t + .001 s: symmetric around .3535, and so is their middle half.
  EXPECT_NEAR(comparison->arms[0].interquartile, .3535, 1e-12);
  EXPECT_LT(comparison->arms[0].around.low, .3535);
  EXPECT_GT(comparison->arms[0].around.high, .3535);
  EXPECT_FALSE(comparison->arms[0].improvement);  // the baseline
  EXPECT_EQ(comparison->arms[1].improvement, 1);  // every run beats every one of the same task
  EXPECT_EQ(comparison->arms[1].around_improvement->low, 1);
}

// Pairs of sentences count by those that no length favours, where there are any.
TEST(TaskComparison, PrefersTheAccuracyThatNoLengthFavours) {
  store::Records records = with_tasks(5, {.5, .4});
  for (Json& rows : records.plan["metrics"])
    rows.insert(rows.begin(), task_row("task0.accuracy_equal_length"));
  for (Json& rows : records.plan["metrics"])
    for (Json& row : rows)
      if (row["name"].get<std::string>().starts_with("task0.")) row["subject"] = "Pairs";
  const auto tasks = [&records] {
    std::vector<std::string> names;
    const Analysis analysis = analyse(records);
    const auto comparison = compare_tasks(analysis);
    for (const MetricRow* task : comparison->tasks) names.push_back(task->name);
    return names;
  };
  EXPECT_THAT(tasks(), testing::Contains("task0.accuracy"));
  for (store::TrialRecord& trial : records.trials)
    trial.metrics["task0.accuracy_equal_length"] = .5;
  EXPECT_THAT(tasks(), testing::Not(testing::Contains("task0.accuracy")));
  EXPECT_THAT(tasks(), testing::Contains("task0.accuracy_equal_length"));
  EXPECT_EQ(tasks().size(), 5u);
}

TEST(TaskComparison, ImprovementOfEqualArmsIsAHalf) {
  const store::Records records = with_tasks(5, {.5, .5});
  const Analysis analysis = analyse(records);
  const auto comparison = compare_tasks(analysis);
  EXPECT_NEAR(*comparison->arms[1].improvement, .5, 1e-12);
  EXPECT_THAT(comparison->ranks->groups, ElementsAre(testing::UnorderedElementsAre(0, 1)));
}

TEST(TaskComparison, ProfilesFallFromOneToZero) {
  const store::Records records = with_tasks(5, {.3, .5});
  const Analysis analysis = analyse(records);
  const auto comparison = compare_tasks(analysis);
  for (const std::vector<double>& profile : comparison->profiles) {
    EXPECT_EQ(profile.front(), 1);
    EXPECT_EQ(profile.back(), 0);
    EXPECT_TRUE(std::is_sorted(profile.rbegin(), profile.rend()));
  }
}

TEST(RankLayout, PutsNoTwoNamesOnOneLineOfASideAndNoTwoBarsOverEachOther) {
  for (const std::vector<double>& levels :
       {std::vector{.3, .5}, std::vector{.3, .5, .4}, std::vector{.5, .5, .5, .4, .4, .3}}) {
    const store::Records records = with_tasks(5, levels);
    const Analysis analysis = analyse(records);
    const RankLayout layout = rank_layout(*compare_tasks(analysis), 20);
    EXPECT_EQ(layout.labels.size(), levels.size());
    std::set<std::pair<bool, int>> places;
    for (const RankLabel& label : layout.labels)
      EXPECT_TRUE(places.insert({label.left, label.line}).second) << label.name;
    for (const RankBar& a : layout.bars)
      for (const RankBar& b : layout.bars)
        EXPECT_TRUE(&a == &b || a.line != b.line || a.to < b.from || b.to < a.from);
  }
}

TEST(TaskFigures, AreInThePaperAndOnThePage) {
  const store::Records records = with_tasks(6, {.3, .5, .4});
  const auto files = files_of(records);
  for (const char* name : {"paper/figures/ranks.tex", "paper/figures/ranks.svg",
                           "paper/figures/profiles.csv", "paper/tasks.tex", "figure-ranks-1.svg"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_THAT(files.at("report.md"), HasSubstr("The arms over 6 tasks"));
  EXPECT_THAT(files.at("report.md"), HasSubstr("Tasks: task0.accuracy, task1.accuracy"));
}

}  // namespace
}  // namespace ablate::reports
