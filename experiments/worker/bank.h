// A worker's whole job: trains a bank of trials and runs their probes.

#pragma once

#include "harness/run/worker/protocol.h"

namespace ablate::worker {

/// Does what is not yet done of the job's trials, each with an outcome in its journal and on
/// standard output. What goes wrong in one trial ends that trial alone. Returns the exit status of
/// the worker. Throws DamagedFile or std::exception where not even the corpus can be read.
int run_job(const run::Job& job, const std::string& device, const Json& provenance);

}  // namespace ablate::worker
