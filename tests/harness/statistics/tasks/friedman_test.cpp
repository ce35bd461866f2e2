#include "harness/statistics/tasks/friedman.h"

#include <gtest/gtest.h>

namespace ablate::statistics {
namespace {

TEST(Friedman, AgreesWithTheReference) {
  // Five tasks, rank sums 15, 8 and 7.
  const Friedman result = friedman({{3, 3, 3, 3, 3}, {1, 2, 1, 2, 2}, {2, 1, 2, 1, 1}});
  EXPECT_NEAR(result.statistic, 7.6, 1e-12);
  EXPECT_NEAR(result.p, .0223707718561655, 1e-14);
  EXPECT_EQ(result.mean_ranks, (std::vector<double>{3, 1.6, 1.4}));
}

TEST(Friedman, KnowsOnlyTheOrderWithinATask) {
  const Friedman one = friedman({{1, 20, 300}, {2, 10, 400}, {3, 30, 200}}),
                 other = friedman({{.1, -2, 8}, {.2, -3, 9}, {.3, 0, -7}});
  EXPECT_EQ(one.statistic, other.statistic);
}

TEST(Friedman, TiesEverywhereShowNothing) {
  EXPECT_EQ(friedman({{1, 1}, {1, 1}, {1, 1}}).p, 1);
  // SciPy 1.10.1: friedmanchisquare([1, 2, 2, 4], [1, 3, 2, 5], [2, 3, 4, 6]).
  const Friedman tied = friedman({{1, 2, 2, 4}, {1, 3, 2, 5}, {2, 3, 4, 6}});
  EXPECT_NEAR(tied.statistic, 6.615384615384615, 1e-12);
  EXPECT_NEAR(tied.p, .03660053915427093, 1e-14);
}

}  // namespace
}  // namespace ablate::statistics
