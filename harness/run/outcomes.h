// The outcomes of a worker's trials after it has ended.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/price/time/speed.h"
#include "harness/run/sweep.h"
#include "harness/store/folder/folder.h"
#include "harness/store/index/trial_state.h"

namespace ablate::run {

/// A trial's outcome, given the state of its journal: completed, failed, diverged or unfinished.
/// One that lacks a planned measurement is not completed, whatever its journal says, but
/// unfinished; or failed, where all that it lacks was tried and failed.
std::string outcome_of(const plan::Trial& trial, const store::TrialState& state);

/// How a worker ended, by its exit status.
enum class Ending {
  well,     // every trial has an outcome
  stopped,  // by a signal, with a checkpoint
  damaged,  // a journal or checkpoint does not verify
  faulty,   // it cannot be executed, refuses its job, or failed before it began with the trial
  crashed,
};

/// How a worker ended for one of its trials, given its status from waitpid(2). `stopping`: it was
/// asked to stop, so a signal that kills it is not a crash. `began`: whether it had begun an
/// attempt of the trial.
Ending ending_of(int status, bool stopping, bool began);

/// The message for a worker that crashed: how it ended, and the last lines of its log.
std::string crash_text(int status, const std::filesystem::path& log);

/// Ends the attempt of a worker that crashed, so that nobody takes the trial for one that is running
/// while it waits for another attempt. Throws std::runtime_error where the journal cannot be written.
void record_crash(const std::filesystem::path& results, const plan::Trial& trial,
                  const std::string& message);

/// Appends the outcome "failed" to a trial's journal. `began`: whether the crashed worker had begun
/// an attempt. Throws std::runtime_error where the journal cannot be written.
void record_failure(const std::filesystem::path& results, const plan::Trial& trial, bool began,
                    const std::string& message);

/// Adds the outcomes in the journals of a plan's trials to the counts of `result`.
void count_outcomes(const plan::Plan& plan, const std::filesystem::path& results,
                    SweepResult& result);

/// What a worker took from its start to its end.
struct WorkerTime {
  double wall = 0;       // seconds
  double processor = 0;  // seconds of all its threads
};

/// The time that the trials of a chunk took; empty unless all were trained by its worker without
/// interruption and measured, where it was to measure them. On the CPU they are seconds of the
/// processor: those on the wall clock depend on what else ran.
std::optional<plan::Timing> timing_of(const Chunk& chunk, const std::string& device,
                                      const WorkerTime& time, const std::filesystem::path& results);

}  // namespace ablate::run
