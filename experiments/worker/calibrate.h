// Measures how many lanes this device trains most efficiently. Such a job trains no trials.

#pragma once

#include <string>

#include "harness/run/job/lane_choice.h"
#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// The number of lanes to train at once. Measures banks of the job's first trial, with up to as
/// many lanes as the job has trials. Uses an earlier measurement for the same model shape and kind
/// of device, if there is one in the cache next to the corpus. If the cache cannot be written, that
/// is only reported on standard error.
run::LaneChoice calibrate(const run::Job& job, const std::string& device);

/// Writes the choice to standard output, as an event.
void tell_lanes(const run::LaneChoice& choice);

}  // namespace ablate::worker
