// Where the time of trials went, as `ablate status --time` says it.

#pragma once

#include <iosfwd>

#include "harness/base/json/json.h"
#include "harness/store/index/status.h"

namespace ablate::commands {

/// {"stages": {stage: seconds}, "probes": {probe: {"seconds", "passes", "fits", "text"}}}.
Json time_json(const store::TrialTime& time);

/// Prints the mean time of the trials of each arm, a few arms beside each other: by stage, by probe,
/// and by what probes were doing.
void print_times(std::ostream& out, const store::Status& status);

}  // namespace ablate::commands
