// The sweep: trials cut into chunks, chunks given to worker processes, until each has its outcome
// or a signal says stop.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan/price/speed.h"
#include "harness/plan/trial/plan.h"
#include "harness/run/progress/progress.h"

namespace ablate::run {

struct SweepSettings {
  std::filesystem::path results;
  std::filesystem::path worker;      // the program
  std::vector<int> cores;            // one a worker, which stays on it; or empty
  std::vector<std::string> devices;  // one entry a worker: "cpu", "cpu", or "cuda:0", "cuda:1"
  std::size_t lanes = 1;             // at most, in one worker
  double checkpoint_seconds = 60;
  std::vector<std::string> command;  // the run's own arguments, for the record
  bool retry_failed = false;         // failed trials are run again, not counted as done
  bool fail_fast = false;            // the first one that fails stops the rest
};

/// Trials for one worker, of one bank.
struct Chunk {
  std::vector<plan::Trial> trials;
  bool retry = false;       // cut from a bank that crashed; it is not tried a third time
  bool cut_before = false;  // these trials have checkpoints of one bank, and go on as one
  Json lane_choice;         // how its number of lanes was chosen; null where it was given
  std::size_t trained = 0;  // of the trials: those that lack measurements alone
};

/// What is left to do of a plan.
struct Todo {
  std::vector<Chunk> chunks;      // in the plan's order
  std::vector<std::string> done;  // ids of trials that need nothing more
};

/// Cuts each bank, in order, into chunks of at most `lanes` trials, and leaves out those that are
/// complete. Trials that were cut off together go on together, whatever `lanes` says now. Throws
/// DamagedFile for a journal that does not verify.
Todo what_is_left(const plan::Plan& plan, const SweepSettings& settings);

/// Cuts each chunk again, into such of as many lanes as `choose` says, asked once for each chunk of
/// more than one trial that was not cut by a former run. What it says is for the record: {"lanes",
/// ...}.
Todo cut(Todo todo, const std::function<Json(const Chunk&)>& choose);

struct SweepResult {
  std::size_t completed = 0;  // of this run and of former ones
  std::size_t failed = 0;
  std::size_t diverged = 0;
  std::size_t unfinished = 0;
  bool damaged = false;    // a worker found a checkpoint or journal that does not verify
  int signal = 0;          // that ended the run before its time
  bool preempted = false;  // a worker was told to stop, and we were not
  plan::Speeds speeds;     // what this run measured
};

/// Runs what is left. A worker that crashes is reported with its trials and its last words; its
/// bank is tried once more lane by lane, then the trial is recorded as failed. INT, TERM, HUP, USR1
/// and USR2 are passed on to the workers, which stop with a checkpoint; after a second INT they are
/// killed.
SweepResult run_sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings,
                      Progress& progress);

/// The exit code that a result stands for.
int exit_code_of(const SweepResult& result);

}  // namespace ablate::run
