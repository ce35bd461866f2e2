// The sweep: passes chunks of trials to worker processes until every trial has an outcome or a
// signal stops the run.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/plan/price/time/speed.h"
#include "harness/plan/trial/plan.h"
#include "harness/run/chunks.h"
#include "harness/run/job/protocol.h"
#include "harness/run/progress/progress.h"
#include "harness/run/sweep_settings.h"
#include "harness/store/folder/lock.h"

namespace ablate::run {

/// The trials of a plan by outcome, those of previous runs included, and how this run ended.
struct SweepResult {
  std::size_t completed = 0;
  std::size_t failed = 0;
  std::size_t diverged = 0;
  std::size_t unfinished = 0;
  std::size_t elsewhere = 0;   // of these: trained by other programs that share the folder
  bool damaged = false;        // a worker found a checkpoint or journal that does not verify
  int signal = 0;              // the signal that stopped the run; 0 where none did
  bool preempted = false;      // a signal stopped a worker but not this program
  std::optional<Fault> fault;  // of the machine, which stopped the run
  plan::Speeds speeds;         // what this run measured
};

/// Runs the unfinished trials and returns the counts of all. Where the settings name measurers, the
/// devices train, and workers on the CPU measure what is trained. The trials of a worker that
/// crashes are run once more, one by one; one that crashes again is recorded as failed. INT, TERM, HUP,
/// USR1 and USR2 are passed on to the workers, which stop with a checkpoint; a second INT kills
/// them, and so does the end of the grace period.
///
/// A fault of the machine is nobody's outcome: a full disk, a worker that cannot be started, that
/// refuses its job or states other versions, a results folder that was moved. It stops the run, is
/// noted on the progress and returned, and the trials without an outcome stay unfinished. `lock`:
/// that of the results folder.
SweepResult run_sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings,
                      const store::FolderLock& lock, Progress& progress);

/// The message for a fault that stopped a run: what it was, and what to do.
std::string fault_text(const Fault& fault);

/// The exit code of the run: see exit_code.h.
int exit_code_of(const SweepResult& result);

}  // namespace ablate::run
