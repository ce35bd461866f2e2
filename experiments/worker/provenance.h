// Where and by what a trial was trained: stored beside its numbers, no part of its identity.

#pragma once

#include "harness/run/worker/protocol.h"

namespace ablate::worker {

/// Machine, code, library and settings of this process, and the command line of the run that
/// started it.
Json provenance(const run::Job& job, const std::string& device);

}  // namespace ablate::worker
