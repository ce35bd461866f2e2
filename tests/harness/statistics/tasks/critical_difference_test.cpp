#include "harness/statistics/tasks/critical_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// An arm's values on ten tasks, which all arms find alike difficult: the tasks' own level, the
/// arm's, and noise.
std::vector<double> arm(double level, double noise, std::uint64_t key) {
  Rng rng(key);
  std::vector<double> values;
  for (int task = 0; task < 10; ++task) values.push_back(100 * task + level + noise * rng.normal());
  return values;
}

TEST(CriticalDifference, GroupsWhatIsNotToldApart) {
  const CriticalDifference result =
      critical_difference({arm(5, .1, 1), arm(0, .1, 2), arm(0, .1, 3), arm(5, .1, 4)});
  EXPECT_THAT(result.groups, ElementsAre(testing::UnorderedElementsAre(1, 2),
                                         testing::UnorderedElementsAre(0, 3)));
  EXPECT_LT(result.p_adjusted[0][1], .05);
  EXPECT_EQ(result.p_adjusted[0][1], result.p_adjusted[1][0]);
  EXPECT_LT(result.mean_ranks[1], result.mean_ranks[0]) << "rank 1 has the lowest value";
}

TEST(CriticalDifference, GroupsAreMaximalAndNoTwoOfOneDiffer) {
  for (std::uint64_t run = 0; run < 20; ++run) {
    std::vector<std::vector<double>> by_arm;
    for (std::uint64_t i = 0; i < 6; ++i)
      by_arm.push_back(arm(static_cast<double>(i), 1, 10 * run + i));
    const CriticalDifference result = critical_difference(by_arm, .05);
    for (const auto& group : result.groups) {
      for (const std::size_t a : group)
        for (const std::size_t b : group) {
          EXPECT_GE(result.p_adjusted[a][b], .05);
        }
      for (std::size_t other = 0; other < 6; ++other) {
        if (std::find(group.begin(), group.end(), other) != group.end()) continue;
        EXPECT_TRUE(
            std::any_of(group.begin(), group.end(),
                        [&](std::size_t member) { return result.p_adjusted[member][other] < .05; }))
            << "arm " << other << " could be added";
      }
    }
    // Every two arms that are not told apart are together in some group.
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool together =
            std::any_of(result.groups.begin(), result.groups.end(), [&](const auto& group) {
              return std::count(group.begin(), group.end(), a) +
                         std::count(group.begin(), group.end(), b) ==
                     2;
            });
        EXPECT_EQ(together, result.p_adjusted[a][b] >= .05);
      }
  }
}

TEST(CriticalDifference, IsRefusedOnFewTasks) {
  try {
    critical_difference({{1, 2, 3, 4}, {2, 3, 4, 5}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("4 tasks; 5 or more can tell arms apart"));
  }
}

}  // namespace
}  // namespace ablate::statistics
