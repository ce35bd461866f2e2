// Crossings: where they are, and how often their intervals hold the true one.

#include "harness/statistics/sweeps/crossing.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"
#include "harness/statistics/one_sample/summary.h"

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
  EXPECT_DOUBLE_EQ(*found->low, 0.5);
  EXPECT_DOUBLE_EQ(*found->high, 0.5);
}

TEST(Crossing, IsOpenWhereTheEndIsUndecided) {
  const auto found = crossing_of(kPlaces, {{-1, 0.5}, {-0.5, 1}, {5, 5.1}});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->low);
  EXPECT_TRUE(found->high);
}

/// The differences of all seeds at a place, each seed's taken as linear.
std::vector<double> along(const std::vector<double>& places, const Rows& rows, double place) {
  std::size_t right = 1;
  while (right + 1 < places.size() && places[right] < place) ++right;
  const double progress = (place - places[right - 1]) / (places[right] - places[right - 1]);
  std::vector<double> values;
  for (std::size_t seed = 0; seed < rows[0].size(); ++seed)
    values.push_back(rows[right - 1][seed] * (1 - progress) + rows[right][seed] * progress);
  return values;
}

TEST(Crossing, IsWhereTheIntervalOfTheDifferenceBeginsAndEndsToHoldZero) {
  const std::vector<double> places = {0, 1, 3, 3.5, 7};
  int checked = 0;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    Rng rng(draw);
    Rows rows(places.size());
    for (int seed = 0; seed < 5; ++seed)
      for (std::size_t i = 0; i < places.size(); ++i)
        rows[i].push_back(places[i] - 3.2 + .8 * rng.normal());
    const auto found = crossing_of(places, rows);
    if (!found || !found->low || !found->high) continue;
    ++checked;
    EXPECT_NEAR(mean(along(places, rows, found->at)), 0, 1e-12);
    EXPECT_NEAR(t_interval(along(places, rows, *found->low))->high, 0, 1e-9);
    EXPECT_NEAR(t_interval(along(places, rows, *found->high))->low, 0, 1e-9);
    for (int step = 1; step < 100; ++step) {
      const double place = *found->low + (*found->high - *found->low) * step / 100;
      const Interval inside = t_interval(along(places, rows, place)).value();
      EXPECT_TRUE(inside.low <= 0 && inside.high >= 0) << place;
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(Crossing, DoesNotMoveWithAPlaceOnEveryLine) {
  const std::vector<double> places = {0, 1, 3}, more = {0, .3, 1, 2.5, 3};
  const Rows rows = {{-2, -4, -3}, {-1, -1.5, .5}, {3, 1, 2}};
  Rows longer;
  for (const double place : more) longer.push_back(along(places, rows, place));
  const auto one = crossing_of(places, rows), other = crossing_of(more, longer);
  ASSERT_TRUE(one && other && one->low && other->low);
  EXPECT_NEAR(one->at, other->at, 1e-12);
  EXPECT_NEAR(*one->low, *other->low, 1e-12);
  EXPECT_EQ(one->high.has_value(), other->high.has_value());
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
  // Deviation of the count at .95: sqrt(1000 * .95 * .05) = 6.9; four of it.
  EXPECT_NEAR(covered, 950, 30);
}

}  // namespace
}  // namespace ablate::statistics
