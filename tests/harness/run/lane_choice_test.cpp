// The number of lanes, from made-up measurements.

#include "harness/run/lane_choice.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ablate {
namespace {

constexpr std::int64_t kGiB = 1 << 30;

/// A device whose step takes `fixed` seconds and then as much a lane, with as much memory a lane.
auto device(double fixed, double per_lane, std::int64_t bytes_per_lane) {
  return [=](std::size_t lanes) {
    const auto n = static_cast<double>(lanes);
    return LanePoint{lanes, fixed + per_lane * n,
                     bytes_per_lane * static_cast<std::int64_t>(lanes)};
  };
}

std::vector<std::size_t> measured(const LaneChoice& choice) {
  std::vector<std::size_t> lanes;
  for (const LanePoint& point : choice.points) lanes.push_back(point.lanes);
  return lanes;
}

TEST(LaneChoice, DoublesUntilTheTimePerLaneGainsLittle) {
  // Per lane: 10, 5.5, 3.25, 2.13, 1.56, 1.28, 1.14: the last doubling gains 11 %, the next 6 %.
  const LaneChoice choice = choose_lanes(device(9e-3, 1e-3, 0), 0, 4096);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128}));
  EXPECT_EQ(choice.lanes, 128u);
}

TEST(LaneChoice, IsOneWhereTheDeviceIsFull) {
  const LaneChoice choice = choose_lanes(device(0, 1e-3, 0), 0, 64);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(choice.lanes, 1u) << "two lanes are no cheaper, and lose more in a crash";
}

TEST(LaneChoice, LeavesMemoryFree) {
  const LaneChoice choice = choose_lanes(device(1, 0, 3 * kGiB), 16 * kGiB, 4096);
  EXPECT_EQ(choice.lanes, 4u);  // 8 would take 24 GiB
  EXPECT_EQ(next_lanes(choice.points, 27 * kGiB, 4096), 8u);
  EXPECT_EQ(next_lanes(choice.points, 26 * kGiB, 4096), 0u) << "less than a tenth would be left";
}

TEST(LaneChoice, ReckonsWithMemoryThatDoesNotGrowWithLanes) {
  const std::vector<LanePoint> points = {{1, 1, 5 * kGiB}, {2, 1, 6 * kGiB}};
  EXPECT_EQ(next_lanes(points, 9 * kGiB, 64), 4u);  // 8 GiB, not 12
  EXPECT_EQ(next_lanes(points, 8 * kGiB, 64), 0u);
}

TEST(LaneChoice, NeedsNoMoreLanesThanTrials) {
  const LaneChoice choice = choose_lanes(device(1, 0, 0), 0, 12);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2, 4, 8, 12}));
  EXPECT_EQ(choice.lanes, 12u);
}

TEST(LaneChoice, EndsWithTheBankThatCannotBeMeasured) {
  const auto small = [](std::size_t lanes) {
    if (lanes > 2) throw std::runtime_error("out of memory");
    return LanePoint{lanes, 1, 0};
  };
  const LaneChoice choice = choose_lanes(small, 0, 64);
  EXPECT_EQ(choice.lanes, 2u);
  EXPECT_EQ(choice.stopped, "out of memory");
  const auto none = [](std::size_t) -> LanePoint { throw std::runtime_error("no device"); };
  EXPECT_THROW(choose_lanes(none, 0, 64), std::runtime_error);
}

TEST(LaneChoice, ComesBackFromJson) {
  const LaneChoice choice = choose_lanes(device(1, 1, kGiB), 0, 4);
  EXPECT_EQ(to_json(lane_choice_from_json(to_json(choice))), to_json(choice));
}

}  // namespace
}  // namespace ablate
