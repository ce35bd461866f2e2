// Crossings: where they are, and how often their intervals hold the true one.

#include "harness/statistics/sweeps/crossing.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"

namespace ablate::statistics {
namespace {

using Rows = std::vector<std::vector<double>>;

const std::vector<double> kPlaces = {0, 1, 3};

TEST(Crossing, IsWhereTheMeanDifferenceIsZero) {
  const auto found = crossing_of(kPlaces, {{-2, -4}, {-1, -1}, {3, 1}});  // -1 at 1, 2 at 3
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->at, 1 + 2 * 1.0 / 3);
}

TEST(Crossing, IsASingleOneOrNone) {
  EXPECT_FALSE(crossing_of(kPlaces, {{1, 2}, {1, 1}, {3, 1}}));
  EXPECT_FALSE(crossing_of(kPlaces, {{1, 2}, {-1, -1}, {3, 1}}));
  EXPECT_EQ(sign_changes({{1, 2}, {-1, -1}, {3, 1}}), 2u);
  EXPECT_EQ(sign_changes({{1, 2}, {0, 0}, {3, 1}}), 0u);
  EXPECT_EQ(sign_changes({{1, 2}, {0, 0}, {-3, 1}}), 1u);
  const auto through_zero = crossing_of(kPlaces, {{3, 1}, {0, 0}, {-2, -1}});
  ASSERT_TRUE(through_zero);
  EXPECT_DOUBLE_EQ(through_zero->at, 1);
}

TEST(Crossing, HasNoWidthWhereSeedsAgree) {
  const auto found = crossing_of(kPlaces, {{-1, -1}, {1, 1}, {2, 2}});
  ASSERT_TRUE(found && found->low && found->high);
  EXPECT_NEAR(*found->low, 0.5, 0.01);
  EXPECT_NEAR(*found->high, 0.5, 0.01);
}

TEST(Crossing, IsOpenWhereTheEndIsUndecided) {
  const auto found = crossing_of(kPlaces, {{-1, 0.5}, {-0.5, 1}, {5, 5.1}});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->low);
  EXPECT_TRUE(found->high);
}

TEST(Crossing, IsInItsIntervalAsOftenAsTheIntervalSays) {
  const Rng rng(5);
  int covered = 0;
  constexpr int kDraws = 1000;
  for (int draw = 0; draw < kDraws; ++draw) {
    Rng own = rng.fork(static_cast<std::uint64_t>(draw));
    Rows rows(3);
    for (int seed = 0; seed < 8; ++seed) {
      const double shift = 0.3 * own.normal();  // of the seed, at every place
      for (std::size_t i = 0; i < 3; ++i)
        rows[i].push_back(kPlaces[i] - 1.2 + shift + 0.2 * own.normal());
    }
    const auto found = crossing_of(kPlaces, rows);
    ASSERT_TRUE(found);
    covered += found->low.value_or(0) <= 1.2 && 1.2 <= found->high.value_or(3);
  }
  // Deviation of the count at .95: sqrt(1000 * .95 * .05) = 6.9; 4 of it, and the grid's rounding.
  EXPECT_NEAR(covered, 950, 30);
}

}  // namespace
}  // namespace ablate::statistics
