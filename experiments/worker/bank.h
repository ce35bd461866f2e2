// Does the job of a worker: trains a bank of trials and runs their probes.

#pragma once

#include "harness/run/job/protocol.h"

namespace ablate::worker {

/// Trains and measures the job's trials that are not finished yet. Each gets an outcome in its
/// journal and on standard output. An error in one trial ends only that trial. Returns the exit
/// status of the worker. A fault of the machine, such as a full disk, is thrown, and trials without
/// an outcome stay unfinished. Throws DamagedFile or another std::runtime_error if the corpus
/// cannot be read.
int run_job(const run::Job& job, const std::string& device, const Json& provenance);

}  // namespace ablate::worker
