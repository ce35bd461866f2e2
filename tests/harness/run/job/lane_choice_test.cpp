// The number of lanes, from made-up measurements.

#include "harness/run/job/lane_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace ablate::run {
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
  // Per lane: 10, 5.5, 3.25, 2.13, 1.56, 1.28, 1.14, 1.07, 1.04: the last two doublings gain 9 %.
  const LaneChoice choice = choose_lanes(device(9e-3, 1e-3, 0), 0, 4096);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
  EXPECT_EQ(choice.lanes, 256u) << "3.4 % less than of 128";
}

// Million tokens a second of an H100 in float32, by lanes: 4.76, 4.36, 6.96, 10.5, ...
TEST(LaneChoice, GoesOnPastADoublingThatGainsNothing) {
  const std::map<std::size_t, double> speeds = {{1, 4.76},  {2, 4.36},  {4, 6.96},  {8, 10.5},
                                                {16, 14.5}, {32, 17.8}, {64, 19.8}, {128, 20.7}};
  const auto measure = [&](std::size_t lanes) {
    return LanePoint{lanes, static_cast<double>(lanes) / speeds.at(lanes), 0};
  };
  EXPECT_EQ(choose_lanes(measure, 0, 128).lanes, 128u);
}

TEST(LaneChoice, IsOneWhereTheDeviceIsFull) {
  const LaneChoice choice = choose_lanes(device(0, 1e-3, 0), 0, 64);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ(choice.lanes, 1u) << "more lanes are no cheaper, and lose more in a crash";
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

TEST(LaneChoice, ReckonsWithTheLanesThatComeNextNotWithTwiceAsMany) {
  const std::vector<LanePoint> points = {{2, 1, 2 * kGiB}, {4, 1, 4 * kGiB}};
  EXPECT_EQ(next_lanes(points, 7 * kGiB, 5), 5u);  // 5 GiB, not 8
  EXPECT_EQ(next_lanes(points, 7 * kGiB, 8), 0u);
}

TEST(LaneChoice, LastsUnlessAnErrorOrTheMemoryOfOthersEndedIt) {
  const auto costly = device(1, 0, 3 * kGiB);
  const LaneChoice alone = choose_lanes(costly, 16 * kGiB, 64);
  EXPECT_TRUE(is_lasting(alone, 16 * kGiB, 64)) << "8 lanes do not fit the device";
  // Other processes hold half of the memory.
  const LaneChoice crowded = choose_lanes(costly, 8 * kGiB, 64);
  EXPECT_FALSE(is_lasting(crowded, 16 * kGiB, 64));
  const LaneChoice enough = choose_lanes(costly, 8 * kGiB, 2);
  EXPECT_TRUE(is_lasting(enough, 16 * kGiB, 2)) << "there were no more trials";
  EXPECT_TRUE(is_lasting(choose_lanes(device(0, 1, kGiB), 0, 64), 0, 64)) << "it gained nothing";
  LaneChoice failed = alone;
  failed.stopped = "out of memory";
  EXPECT_FALSE(is_lasting(failed, 16 * kGiB, 64));
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

TEST(LaneChoice, EndsWithTheBankThatCannotBeRecordedAndIsNotKept) {
  const auto unrecorded_from_4 = [](std::size_t lanes) {
    return LanePoint{lanes, 1, 0, lanes < 4 ? "" : "not permitted"};
  };
  const LaneChoice choice = choose_lanes(unrecorded_from_4, 0, 64);
  EXPECT_EQ(measured(choice), (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ(choice.stopped, "a step could not be recorded: not permitted");
  EXPECT_FALSE(is_lasting(choice, 0, 64));
}

TEST(LaneChoice, ComesBackFromJson) {
  const LaneChoice choice = choose_lanes(device(1, 1, kGiB), 0, 4);
  EXPECT_EQ(to_json(lane_choice_from_json(to_json(choice))), to_json(choice));
}

TEST(LaneChoice, RefusesWhatIsNoChoice) {
  const Json good = to_json(choose_lanes(device(1, 1, kGiB), 0, 4));
  for (const auto& [pointer, value] :
       std::vector<std::pair<const char*, Json>>{{"/lanes", 0},
                                                 {"/lanes", -1},
                                                 {"/lanes", 3},  // was not measured
                                                 {"/lanes", nullptr},
                                                 {"/stopped", 1},
                                                 {"/points", Json::array()},
                                                 {"/points/0/lanes", 0},
                                                 {"/points/0/lanes", -2},
                                                 {"/points/0/seconds", 0},
                                                 {"/points/0/seconds", "1"},
                                                 {"/points/0/bytes", -1}}) {
    Json changed = good;
    changed[Json::json_pointer(pointer)] = value;
    EXPECT_THROW(lane_choice_from_json(changed), std::runtime_error) << changed;
  }
  EXPECT_THROW(lane_choice_from_json(3), std::runtime_error);
}

}  // namespace
}  // namespace ablate::run
