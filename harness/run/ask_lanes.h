// Asks a worker for the best number of lanes on a device.

#pragma once

#include "harness/run/job/lane_choice.h"
#include "harness/run/sweep.h"

namespace ablate::run {

/// Lets a worker measure banks of the chunk's trials on the first of the sweep's devices, or look
/// up earlier measurements, and returns the number of lanes to divide the chunk by. Throws
/// std::runtime_error, with the end of the worker's log, where it ends without an answer.
LaneChoice ask_lanes(const Chunk& chunk, const std::filesystem::path& corpus,
                     const SweepSettings& settings);

}  // namespace ablate::run
