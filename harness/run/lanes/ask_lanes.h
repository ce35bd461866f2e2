// Asking a worker how many lanes a device trains best.

#pragma once

#include "harness/run/lanes/lane_choice.h"
#include "harness/run/sweep.h"

namespace ablate::run {

/// Has a worker measure banks of the chunk's trials on the first of the sweep's devices, or tell
/// what it measured before: the lanes to cut the chunk by. Throws std::runtime_error where the
/// worker ends without an answer, with its last words.
LaneChoice ask_lanes(const Chunk& chunk, const std::filesystem::path& corpus,
                     const SweepSettings& settings);

}  // namespace ablate::run
