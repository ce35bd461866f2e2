// The machine and program that trained a trial: stored with its numbers, but not part of its id.

#pragma once

#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// The machine, code, library and settings of this process, and the command line of the run that
/// started it, as a JSON object.
Json provenance(const run::Job& job, const std::string& device);

}  // namespace ablate::worker
