// Chooses how many trials a device trains as one bank.

#include "harness/run/job/lane_choice.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::run {
namespace {

constexpr double kMinGain = 0.1;    // of the time per lane, by two doublings of the lanes
constexpr double kAsGood = 1.03;    // of the best time per lane
constexpr double kMaxMemory = 0.9;  // of the device's

/// The estimated memory of a bank of `lanes`, in bytes: memory grows linearly.
double bytes_of(std::size_t lanes, std::span<const LanePoint> points) {
  const LanePoint& last = points.back();
  const auto held = static_cast<double>(last.bytes);
  if (points.size() == 1)
    return held * static_cast<double>(lanes) / static_cast<double>(last.lanes);
  const LanePoint& before = points[points.size() - 2];
  const double per_lane =
      (held - static_cast<double>(before.bytes)) / static_cast<double>(last.lanes - before.lanes);
  return held + per_lane * static_cast<double>(lanes - last.lanes);
}

/// Whether neither of the last two doublings gained much over the bank before them. One alone says
/// little: two lanes can be slower than one where 128 are four times as fast (an H100 in float32).
bool gained_little(std::span<const LanePoint> points) {
  if (points.size() < 3) return false;
  const std::span<const LanePoint> last = points.last(3);
  const double enough = (1 - kMinGain) * last[0].seconds_per_lane();
  return last[1].seconds_per_lane() > enough && last[2].seconds_per_lane() > enough;
}

LanePoint point_from_json(const Json& json) {
  const auto lanes = integer_in(json.at("lanes"));
  LanePoint point = {static_cast<std::size_t>(lanes), json.at("seconds"), json.at("bytes")};
  if (lanes < 1 || !(point.seconds > 0) || !std::isfinite(point.seconds) || point.bytes < 0)
    fail("lane choice: {} is not the measurement of a bank", json.dump());
  return point;
}

LaneChoice read_choice(const Json& json) {
  LaneChoice choice = {json.at("lanes"), {}, json.at("stopped")};
  for (const Json& point : json.at("points")) choice.points.push_back(point_from_json(point));
  if (std::none_of(choice.points.begin(), choice.points.end(),
                   [&](const LanePoint& point) { return point.lanes == choice.lanes; }))
    fail("lane choice: {} lanes were not measured", json.at("lanes").dump());
  return choice;
}

}  // namespace

std::size_t next_lanes(std::span<const LanePoint> points, std::int64_t memory,
                       std::size_t maximum) {
  if (points.empty()) return 1;
  const LanePoint& last = points.back();
  if (last.lanes >= maximum) return 0;
  if (gained_little(points)) return 0;
  const std::size_t next = std::min(2 * last.lanes, maximum);
  if (memory > 0 && bytes_of(next, points) > kMaxMemory * static_cast<double>(memory)) return 0;
  return next;
}

std::size_t best_lanes(std::span<const LanePoint> points) {
  double best = points.front().seconds_per_lane();
  for (const LanePoint& point : points) best = std::min(best, point.seconds_per_lane());
  const auto good = std::find_if(points.begin(), points.end(), [best](const LanePoint& point) {
    return point.seconds_per_lane() <= kAsGood * best;
  });
  return good->lanes;
}

LaneChoice choose_lanes(const std::function<LanePoint(std::size_t lanes)>& measure,
                        std::int64_t memory, std::size_t maximum) {
  LaneChoice choice;
  while (const std::size_t lanes = next_lanes(choice.points, memory, maximum)) {
    try {
      choice.points.push_back(measure(lanes));
      const std::string& failure = choice.points.back().recording_failure;
      if (failure.empty()) continue;
      choice.stopped = "a step could not be recorded: " + failure;
      break;
    } catch (const std::exception& error) {
      if (choice.points.empty()) throw;
      choice.stopped = error.what();
      break;
    }
  }
  choice.lanes = best_lanes(choice.points);
  return choice;
}

bool is_lasting(const LaneChoice& choice, std::int64_t memory, std::size_t maximum) {
  return choice.stopped.empty() && next_lanes(choice.points, memory, maximum) == 0;
}

Json to_json(const LaneChoice& choice) {
  Json points = Json::array();
  for (const LanePoint& point : choice.points)
    points.push_back({{"lanes", point.lanes}, {"seconds", point.seconds}, {"bytes", point.bytes}});
  return {{"lanes", choice.lanes}, {"points", points}, {"stopped", choice.stopped}};
}

LaneChoice lane_choice_from_json(const Json& json) {
  try {
    return read_choice(json);
  } catch (const Json::exception& error) {
    fail("lane choice: {}", error.what());
  }
}

}  // namespace ablate::run
