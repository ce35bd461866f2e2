// The job that trains nothing: how many lanes does this device train best?

#pragma once

#include <string>

#include "harness/run/lanes/lane_choice.h"
#include "harness/run/worker/protocol.h"

namespace ablate::worker {

/// Measures banks of the job's first trial, up to as many lanes as the job has trials, or finds
/// what was measured before for a model of this shape, on a device of this kind, in the cache
/// beside the corpus. A cache that cannot be written is no failure: it is said on standard error.
run::LaneChoice calibrate(const run::Job& job, const std::string& device);

/// Tells whoever started this worker.
void tell_lanes(const run::LaneChoice& choice);

}  // namespace ablate::worker
