// How many trials a device trains as one model: from measurements of banks of 1, 2, 4 ... lanes.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::run {

/// A bank that was measured.
struct LanePoint {
  std::size_t lanes = 0;
  double seconds = 0;      // of a step of all lanes
  std::int64_t bytes = 0;  // maximum that the device held; 0 where it is not known

  double seconds_per_lane() const { return seconds / static_cast<double>(lanes); }
};

/// The number of lanes to measure next, or 0 where a larger bank is of no use: there are no more
/// than `maximum` trials, the last doubling made a lane's step less than a tenth cheaper, or the
/// next bank would not leave a tenth of `memory` (bytes; 0: not known) free.
std::size_t next_lanes(std::span<const LanePoint> points, std::int64_t memory, std::size_t maximum);

/// The fewest lanes whose time per lane is within 3 % of the best: a larger bank loses more when it
/// crashes. Requires: points.
std::size_t best_lanes(std::span<const LanePoint> points);

/// A number of lanes, and the measurements that it was chosen by.
struct LaneChoice {
  std::size_t lanes = 1;
  std::vector<LanePoint> points;
  std::string stopped;  // why measuring ended before its time; empty where it did not
};

/// Measures banks of 1, 2, 4 ... lanes and chooses. A bank that cannot be measured (its memory does
/// not suffice, most likely) ends it. Throws what `measure` throws for one lane.
LaneChoice choose_lanes(const std::function<LanePoint(std::size_t lanes)>& measure,
                        std::int64_t memory, std::size_t maximum);

/// Whether the device would be measured so again: no error ended it, nor the lack of memory that
/// others held. `memory`: of the whole device, in bytes; 0: not known.
bool is_lasting(const LaneChoice& choice, std::int64_t memory, std::size_t maximum);

/// A choice as it is stored and sent by a worker.
Json to_json(const LaneChoice& choice);

/// Throws std::runtime_error where `json` is no choice among banks that were measured.
LaneChoice lane_choice_from_json(const Json& json);

}  // namespace ablate::run
