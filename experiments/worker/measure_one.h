// Measures a trial by one probe, and records it.

#pragma once

#include <exception>
#include <string>

#include "experiments/worker/trial_run.h"
#include "harness/probes/probe.h"
#include "harness/probes/together/shared_passes.h"

namespace ablate::worker {

/// What a probe has thrown. It costs that measurement, and no other one.
struct ProbeFailed {
  std::exception_ptr cause;
};

/// Makes a measurement, of the trained trial (`weights`) or on the way, and writes it to the journal.
/// In float32 whatever the trial was trained in: bfloat16 makes ties of what is to be compared.
/// `passes`: what the model makes its forward passes through.
/// Throws DamagedFile where the weights on the way do not verify.
void measure_one(TrialRun& run, const MissingMeasurement& wanted, const store::Checkpoint& weights,
                 const Corpora& corpora, const std::string& device, probes::SharedPasses& passes,
                 const probes::ProgressSink& progress);

}  // namespace ablate::worker
