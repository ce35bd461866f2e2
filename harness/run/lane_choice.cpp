// How many trials a device trains as one model.

#include "harness/run/lane_choice.h"

#include <algorithm>

namespace ablate {
namespace {

constexpr double kLeastGain = 0.1;   // of the time per lane, by doubling the lanes
constexpr double kAsGood = 1.03;     // of the best time per lane
constexpr double kMostMemory = 0.9;  // of the device's

/// What twice the lanes will hold: a bank grows in a straight line.
double bytes_of_double(std::span<const LanePoint> points) {
  const LanePoint& last = points.back();
  const auto held = static_cast<double>(last.bytes);
  if (points.size() == 1) return 2 * held;
  const LanePoint& before = points[points.size() - 2];
  const double per_lane =
      (held - static_cast<double>(before.bytes)) / static_cast<double>(last.lanes - before.lanes);
  return held + per_lane * static_cast<double>(last.lanes);
}

}  // namespace

std::size_t next_lanes(std::span<const LanePoint> points, std::int64_t memory, std::size_t most) {
  if (points.empty()) return 1;
  const LanePoint& last = points.back();
  if (last.lanes >= most) return 0;
  if (points.size() > 1) {
    const double before = points[points.size() - 2].seconds_per_lane();
    if (last.seconds_per_lane() > (1 - kLeastGain) * before) return 0;
  }
  if (memory > 0 && bytes_of_double(points) > kMostMemory * static_cast<double>(memory)) return 0;
  return std::min(2 * last.lanes, most);
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
                        std::int64_t memory, std::size_t most) {
  LaneChoice choice;
  while (const std::size_t lanes = next_lanes(choice.points, memory, most)) {
    try {
      choice.points.push_back(measure(lanes));
    } catch (const std::exception& error) {
      if (choice.points.empty()) throw;
      choice.stopped = error.what();
      break;
    }
  }
  choice.lanes = best_lanes(choice.points);
  return choice;
}

Json to_json(const LaneChoice& choice) {
  Json points = Json::array();
  for (const LanePoint& point : choice.points)
    points.push_back({{"lanes", point.lanes}, {"seconds", point.seconds}, {"bytes", point.bytes}});
  return {{"lanes", choice.lanes}, {"points", points}, {"stopped", choice.stopped}};
}

LaneChoice lane_choice_from_json(const Json& json) {
  LaneChoice choice = {json.at("lanes"), {}, json.at("stopped")};
  for (const Json& point : json.at("points"))
    choice.points.push_back({point.at("lanes"), point.at("seconds"), point.at("bytes")});
  return choice;
}

}  // namespace ablate
