// Chooses how many trials a device trains as one bank, from measurements of 1, 2, 4 ... lanes.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::run {

/// The measurement of one bank.
struct LanePoint {
  std::size_t lanes = 0;
  double seconds = 0;      // per step of all lanes
  std::int64_t bytes = 0;  // peak memory on the device; 0 where it is not known

  /// Why the device could not record the step; empty where it could. The time is then that of a
  /// step that is queued anew.
  std::string recording_failure = {};

  /// Seconds per step and lane.
  double seconds_per_lane() const { return seconds / static_cast<double>(lanes); }
};

/// The number of lanes to measure next. 0 where a larger bank does not help: there are only
/// `maximum` trials, the last two doublings reduced the time per lane by less than a tenth, or the next
/// bank would leave less than a tenth of `memory` (bytes; 0: not known) free.
std::size_t next_lanes(std::span<const LanePoint> points, std::int64_t memory, std::size_t maximum);

/// The smallest number of lanes whose time per lane is within 3 % of the best, because a larger
/// bank loses more in a crash. Requires: at least one point.
std::size_t best_lanes(std::span<const LanePoint> points);

/// A number of lanes, and the measurements that it was chosen by.
struct LaneChoice {
  std::size_t lanes = 1;
  std::vector<LanePoint> points;
  std::string stopped;  // the error, or failed recording, that ended the measurements; else empty
};

/// Measures banks of 1, 2, 4 ... lanes and chooses the number of lanes. An error of `measure` (most
/// likely too little memory) ends the measurements; for one lane it is thrown. So does a step that
/// cannot be recorded. `memory`: of the
/// device, in bytes; 0: not known. `maximum`: the number of trials.
LaneChoice choose_lanes(const std::function<LanePoint(std::size_t lanes)>& measure,
                        std::int64_t memory, std::size_t maximum);

/// Whether the choice can be kept for later runs: no error ended the measurements, nor did memory
/// that other processes held. `memory`: the device's total, in bytes; 0: not known.
bool is_lasting(const LaneChoice& choice, std::int64_t memory, std::size_t maximum);

/// The choice as JSON, as it is stored and sent by a worker.
Json to_json(const LaneChoice& choice);

/// Reads what to_json() wrote. Throws std::runtime_error for any other JSON.
LaneChoice lane_choice_from_json(const Json& json);

}  // namespace ablate::run
