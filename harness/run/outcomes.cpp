#include "harness/run/outcomes.h"

#include <sys/wait.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/time/clock.h"
#include "harness/run/worker/process.h"
#include "harness/store/journal/journal.h"

namespace ablate::run {

std::string outcome_of(const plan::Trial& trial, const store::TrialState& state) {
  const std::vector<std::string>& ids = trial.probes.ids();
  const std::int64_t missing = state.missing(ids);
  if (state.outcome != "completed" || missing == 0) return state.outcome;
  return state.failed(ids) == missing ? "failed" : "unfinished";
}

Ending ending_of(int status, bool stopping, bool began) {
  constexpr int kNotExecuted = 127;  // also where a library cannot be loaded
  if (WIFSIGNALED(status)) return stopping ? Ending::stopped : Ending::crashed;
  switch (WEXITSTATUS(status)) {
    case exit_ok:
      return Ending::well;
    case exit_preempted:
    case exit_interrupted:
      return Ending::stopped;
    case exit_damaged:
      return Ending::damaged;
    case exit_usage:
    case kNotExecuted:
      return Ending::faulty;
    case exit_failure:
      return began ? Ending::crashed : Ending::faulty;
    default:
      return Ending::crashed;
  }
}

std::string crash_text(int status, const std::filesystem::path& log) {
  const std::string words = last_lines(log);
  std::string text = WIFEXITED(status) && WEXITSTATUS(status) == 0
                         ? "the worker ended without an outcome"
                         : "the worker ended by " + status_text(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    text += "; often that is the system's out-of-memory killer: use fewer --workers or --lanes";
  return words.empty() ? text + "; its log is empty" : text + "; the end of its log:\n" + words;
}

void record_crash(const std::filesystem::path& results, const plan::Trial& trial,
                  const std::string& message) {
  store::Journal journal(store::journal_file(results, trial.id));
  journal.write("outcome", {{"outcome", "stopped"}, {"message", message}});
}

void record_failure(const std::filesystem::path& results, const plan::Trial& trial, bool began,
                    const std::string& message) {
  store::Journal journal(store::journal_file(results, trial.id));
  if (!began) journal.write("attempt", {{"trial", trial}, {"provenance", Json::object()}});
  journal.write("outcome", {{"outcome", "failed"}, {"message", message}});
}

void count_outcomes(const plan::Plan& plan, const std::filesystem::path& results,
                    SweepResult& result) {
  for (const plan::Trial& trial : plan.trials) {
    try {
      const std::string outcome =
          outcome_of(trial, store::read_trial_state(store::journal_file(results, trial.id)));
      result.completed += outcome == "completed";
      result.failed += outcome == "failed";
      result.diverged += outcome == "diverged";
      result.unfinished += outcome == "unfinished";
    } catch (const std::runtime_error& error) {
      result.damaged = result.damaged || dynamic_cast<const DamagedFile*>(&error) != nullptr;
      ++result.unfinished;
    }
  }
}

std::optional<plan::Timing> timing_of(const Chunk& chunk, const std::string& device,
                                      const WorkerTime& time,
                                      const std::filesystem::path& results) {
  plan::Timing timing{.device = device, .trials = chunk.trials, .date = utc_now()};
  const std::string_view wanted = chunk.task == Task::train ? "unfinished" : "completed";
  for (const plan::Trial& trial : chunk.trials) {
    try {
      const store::TrialState state =
          store::read_trial_state(store::journal_file(results, trial.id));
      if (state.outcome != wanted || state.attempts.size() != 1) return std::nullopt;
      for (const store::StoredStage& stage : state.stages)
        if (stage.stage == "train")
          timing.training = std::max(timing.training, stage.seconds);  // lanes share it
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  if (timing.training <= 0) return std::nullopt;
  timing.overhead = std::max(0.0, time.wall - timing.training);
  if (!(time.wall > 0 && time.processor > 0)) return timing;
  timing.load = time.wall / time.processor;
  if (device != "cpu" || timing.load <= 1) return timing;  // several threads at work are no load
  timing.training /= timing.load;
  timing.overhead /= timing.load;
  return timing;
}

}  // namespace ablate::run
