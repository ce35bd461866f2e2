#include "harness/run/sweep.h"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/number_text.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/plan/price/time/plan_time.h"
#include "harness/run/outcomes.h"
#include "harness/run/running.h"
#include "harness/run/shards/leases.h"
#include "harness/run/worker/machine.h"
#include "harness/run/worker/signals.h"
#include "harness/store/index/curve_text.h"

namespace ablate::run {
namespace {

constexpr double kLookSeconds = 1;  // between two looks at what other programs had
constexpr int kTickMs = 200;        // the longest that the loop waits for an event

std::string name_of(const plan::Trial& trial) {
  return fmt::format("{} seed {} (trial {})", trial.arm, trial.seed, trial.id);
}

std::vector<std::string> ids_of(const std::vector<plan::Trial>& trials) {
  std::vector<std::string> ids;
  ids.reserve(trials.size());
  for (const plan::Trial& trial : trials) ids.push_back(trial.id);
  return ids;
}

/// A chunk of those of its trials that have these ids.
Chunk part_of(Chunk chunk, const std::vector<std::string>& ids) {
  std::erase_if(chunk.trials,
                [&](const plan::Trial& trial) { return std::ranges::count(ids, trial.id) == 0; });
  chunk.trained = std::min(chunk.trained, chunk.trials.size());
  return chunk;
}

/// The loss at the end of a curve, in nats; not a number where it has no point.
/// That of the last point that has one; NaN where none does.
double last_loss(const store::CurveText& curve) {
  const std::vector<store::CurvePoint> points = curve.points();
  const auto last = std::find_if(points.rbegin(), points.rend(),
                                 [](const auto& point) { return !std::isnan(point.loss); });
  return last != points.rend() ? last->loss : std::nan("");
}

class Sweep {
 public:
  Sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings,
        const store::FolderLock& lock, Progress& progress)
      : plan_(plan),
        settings_(settings),
        lock_(lock),
        progress_(progress),
        queues_(todo, settings),
        leases_(settings.results, settings.lease_seconds) {}

  SweepResult run() {
    while (look_elsewhere(), start_workers(), !running_.empty() || !elsewhere_.empty()) {
      wait();
      for (const int number : signals_.take()) take_signal(number);
      for (auto& worker : running_) listen(*worker);
      if (monotonic_seconds() >= kill_at_) kill_late();
      for (const std::string& trial : leases_.beat()) lose(trial);
      reap();
      progress_.tick();
    }
    progress_.end();
    count_outcomes(plan_, settings_.results, result_);
    return result_;
  }

 private:
  void start_workers() {
    while (!stopping_) {
      const std::optional<Assignment> next = queues_.next();
      if (!next || !is_in_place()) return;
      const std::vector<plan::Trial>& trials = next->chunk.trials;
      try {
        if (!claim(*next)) continue;
        running_.push_back(
            std::make_unique<Running>(*next, plan_, settings_, leases_.tickets(ids_of(trials))));
      } catch (const DamagedFile& error) {
        queues_.end(*next);
        damaged(trials[0], error.what());
        continue;
      } catch (const std::runtime_error& error) {
        return halt({error.what(), is_no_space(error)});
      }
      for (const plan::Trial& trial : trials) progress_.started(trial);
    }
  }

  /// Whether a chunk that is next can be trained here: nobody else trains it, or has in the meantime. Of one that others
  /// have in part the rest waits again.
  bool claim(const Assignment& next) {
    const Leases::Claim claim = leases_.claim(ids_of(next.chunk.trials));
    if (claim.is_ours() && !was_done(next.chunk)) return true;
    queues_.end(next);
    if (claim.is_ours()) return false;
    if (!claim.free.empty()) queues_.put_back(part_of(next.chunk, claim.free));
    if (!claim.waiting.empty()) elsewhere_.push_back(part_of(next.chunk, claim.waiting));
    if (!claim.elsewhere.empty()) leave(part_of(next.chunk, claim.elsewhere), claim.holder);
    return false;
  }

  /// Settles what another program has done of a chunk since this run began; the rest waits again. Returns whether there
  /// was anything.
  bool was_done(const Chunk& chunk) {
    if (settings_.lease_seconds <= 0) return false;
    Chunk rest = chunk;
    std::erase_if(rest.trials, [&](const plan::Trial& trial) {
      const store::TrialState state =
          store::read_trial_state(store::journal_file(settings_.results, trial.id));
      const std::string outcome = outcome_of(trial, state);
      if (outcome == "unfinished" || (outcome == "failed" && settings_.retry_failed)) return false;
      finished(trial, outcome, state.message, last_loss(state.curve));
      return true;
    });
    if (rest.trials.size() == chunk.trials.size()) return false;
    if (!rest.trials.empty()) queues_.put_back(std::move(rest));
    return true;
  }

  /// Asks again for the chunks that another program had, of which it was not known whether it lives.
  void look_elsewhere() {
    if (elsewhere_.empty() || monotonic_seconds() < look_at_) return;
    look_at_ = monotonic_seconds() + std::min(kLookSeconds, settings_.lease_seconds / 5);
    for (Chunk& chunk : std::exchange(elsewhere_, {}))
      if (!stopping_) queues_.put_back(std::move(chunk));
  }

  /// A living program trains a chunk: this run ends without it.
  void leave(const Chunk& chunk, const std::string& holder) {
    for (const plan::Trial& trial : chunk.trials) {
      progress_.note(fmt::format("{}: {} trains it", name_of(trial), holder));
      progress_.dropped(trial);
      ++result_.elsewhere;
    }
  }

  /// A trial was taken over by another program: it must not be written here any more.
  void lose(const std::string& id) {
    for (auto& worker : running_)
      for (const plan::Trial& trial : worker->chunk().trials)
        if (trial.id == id && lost_.insert(id).second) {
          progress_.note(
              fmt::format("{}: was taken over by another program, which heard nothing from here; "
                          "its worker is killed",
                          name_of(trial)));
          worker->signal(SIGKILL);
        }
  }

  /// Waits for output of a worker, for a signal or for the next redraw.
  void wait() {
    std::vector<pollfd> files = {{signals_.file(), POLLIN, 0}};
    for (const auto& worker : running_) worker->add_output(files);
    ::poll(files.data(), files.size(), kTickMs);
  }

  void listen(Running& worker) {
    worker.listen(progress_);
    if (worker.versions() == Versions::foreign) {
      worker.signal(SIGKILL);  // before it records an outcome or a checkpoint
      halt(*worker.fault());
    }
    if (const std::string note = worker.silence_note(); !note.empty()) progress_.note(note);
  }

  void take_signal(int number) {
    if (number == SIGCHLD) return;
    const bool again = stopping_ && number == SIGINT;
    if (!again && !stopping_)
      progress_.note(fmt::format("stopping: {}{} (interrupt again to kill)", running_.size(),
                                 running_.size() == 1 ? " worker writes its checkpoint"
                                                      : " workers write their checkpoints"));
    if (result_.signal == 0) result_.signal = number;
    stop(again ? SIGKILL : number == SIGHUP ? SIGTERM : number);
  }

  void stop(int number) {
    if (!stopping_) kill_at_ = monotonic_seconds() + settings_.grace_seconds;
    stopping_ = true;
    for (auto& worker : running_) worker->signal(number);
  }

  /// Kills the workers that have not ended within the time that they had to stop.
  void kill_late() {
    kill_at_ = std::numeric_limits<double>::infinity();
    for (auto& worker : running_) {
      progress_.note(
          fmt::format("{} has not stopped within {} and is killed; its trials will continue from "
                      "their last checkpoints",
                      worker->text(), duration_text(settings_.grace_seconds)));
      worker->signal(SIGKILL);
    }
  }

  /// Stops the sweep for a fault of the machine, which is not an outcome of any trial.
  void halt(const Fault& fault) {
    if (result_.fault) return;  // the others most likely have the same reason
    result_.fault = fault;
    progress_.note(fault_text(fault));
    stop(SIGTERM);
  }

  /// Whether the results folder is where it was; otherwise the sweep stops.
  bool is_in_place() {
    if (lock_.in_place()) return true;
    halt({fmt::format("{}: was moved, deleted or replaced during the run; put it back",
                      settings_.results.string()),
          false});
    return false;
  }

  void reap() {
    std::vector<std::unique_ptr<Running>> gone;
    for (auto& worker : running_)
      if (worker->ended(progress_)) gone.push_back(std::move(worker));
    std::erase(running_, nullptr);
    for (const auto& worker : gone) {
      queues_.end(worker->assignment());
      settle(*worker);
    }
  }

  /// Records the outcomes of the trials of a worker that has ended.
  void settle(const Running& worker) {
    const std::vector<plan::Trial>& trials = worker.chunk().trials;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      try {
        settle_trial(worker, i);
      } catch (const DamagedFile& error) {
        damaged(trials[i], error.what());
      } catch (const std::runtime_error& error) {
        progress_.dropped(trials[i]);
        halt({fmt::format("{}: the outcome could not be recorded: {}", name_of(trials[i]),
                          error.what()),
              is_no_space(error)});
      }
    }
    queues_.measure(std::exchange(trained_, {}));
    if (worker.assignment().place.followers.empty())
      observe(worker);  // ranks have no worker's speed
    std::error_code ignored;
    if (std::filesystem::is_empty(worker.log(), ignored))
      std::filesystem::remove(worker.log(), ignored);
  }

  /// Remembers how long a worker took, for estimates.
  void observe(const Running& worker) {
    if (const auto timing =
            timing_of(worker.chunk(), worker.assignment().place.device,
                      {worker.seconds(), worker.processor_seconds()}, settings_.results))
      result_.speeds.observe(*timing);
  }

  void settle_trial(const Running& worker, std::size_t index) {
    const plan::Trial& trial = worker.chunk().trials[index];
    if (!leases_.may_write(trial.id)) {
      leases_.drop(trial.id);
      ++result_.elsewhere;
      return progress_.dropped(trial);
    }
    if (worker.versions() == Versions::foreign || !is_in_place()) {
      progress_.dropped(trial);
      if (worker.fault()) halt(*worker.fault());
      return;
    }
    const store::TrialState state =
        store::read_trial_state(store::journal_file(settings_.results, trial.id));
    const bool began = state.attempts.size() > worker.attempts_before(index);
    const Ending ending = ending_of(worker.status(), stopping_, began);
    const std::string outcome = outcome_of(trial, state);
    if (outcome != "unfinished" && (began || ending == Ending::well))
      return finished(trial, outcome, state.message, last_loss(state.curve));
    if (ending == Ending::damaged) return damaged(trial, last_lines(worker.log()));
    progress_.dropped(trial);
    if (std::ranges::any_of(ids_of(worker.chunk().trials),
                            [&](const std::string& id) { return lost_.contains(id); }))
      return queues_.put_back(
          part_of(worker.chunk(), {trial.id}));  // its worker ended for another's sake
    if (worker.fault()) return halt(*worker.fault());
    if (ending == Ending::stopped) return stopped();
    if (began && state.outcome == "completed")
      return progress_.note(name_of(trial) + ": lacks measurements, and is unfinished");
    if (worker.chunk().task == Task::train && ending == Ending::well && began) {
      progress_.trained(trial);
      return trained_.push_back(trial);
    }
    unsettled(worker, trial, began, ending);
  }

  /// A worker has ended before the trial had an outcome.
  void unsettled(const Running& worker, const plan::Trial& trial, bool began, Ending ending) {
    const std::string words = crash_text(worker.status(), worker.log());
    if (ending == Ending::faulty)
      return halt({fmt::format("{}: {}", name_of(trial), words), false});
    if (!worker.chunk().retry || stopping_) {
      progress_.note(fmt::format("{}: {}{}", name_of(trial), words,
                                 stopping_ ? "" : "\nit is tried once more, alone"));
      if (began) record_crash(settings_.results, trial, words);
      return queues_.retry(trial);
    }
    record_failure(settings_.results, trial, began, words);
    finished(trial, "failed", words, std::nan(""));
  }

  void finished(const plan::Trial& trial, const std::string& outcome, const std::string& message,
                double loss) {
    leases_.end(trial.id);
    progress_.finished(trial, outcome, message, loss);
    if (outcome == "completed" || !settings_.fail_fast || stopping_) return;
    progress_.note("--fail-fast: the other workers stop with a checkpoint");
    stop(SIGTERM);
  }

  void damaged(const plan::Trial& trial, const std::string& message) {
    result_.damaged = true;
    progress_.dropped(trial);
    progress_.note(fmt::format("{}: {}", name_of(trial), message));
  }

  /// A signal stopped a worker. Where this program got none, one is about to arrive, or it was
  /// meant for the complete sweep: stops the others as well.
  void stopped() {
    if (stopping_) return;
    result_.preempted = true;
    progress_.note("a signal stopped a worker: the others also stop with a checkpoint");
    stop(SIGTERM);
  }

  const plan::Plan& plan_;
  const SweepSettings& settings_;
  const store::FolderLock& lock_;
  Progress& progress_;
  Signals signals_;  // before any worker is started
  Queues queues_;
  Leases leases_;
  std::vector<Chunk> elsewhere_;      // that another program had when they were next
  std::set<std::string> lost_;        // trials that others have taken over
  double look_at_ = 0;                // monotonic seconds
  std::vector<plan::Trial> trained_;  // by the worker that is being settled
  std::vector<std::unique_ptr<Running>> running_;
  SweepResult result_;
  bool stopping_ = false;
  double kill_at_ = std::numeric_limits<double>::infinity();  // monotonic seconds
};

}  // namespace

std::string fault_text(const Fault& fault) {
  return fmt::format(
      "{}\nThe sweep stops, and no trial has failed because of this: {}, then run the same command "
      "again.",
      fault.message, fault.no_space ? "free space on the disk" : "fix it");
}

SweepResult run_sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings,
                      const store::FolderLock& lock, Progress& progress) {
  const std::set<std::string> done(todo.done.begin(), todo.done.end());
  const auto times = plan::trial_times(plan.trials, settings.devices[0]);
  for (std::size_t i = 0; i < plan.trials.size(); ++i)
    progress.expect(plan.trials[i], times[i], done.contains(plan.trials[i].id));
  return Sweep(plan, todo, settings, lock, progress).run();
}

int exit_code_of(const SweepResult& result) {
  if (result.damaged || (result.fault && result.fault->no_space)) return exit_damaged;
  if (result.fault) return exit_failure;
  if (result.signal == SIGINT) return exit_interrupted;
  if (result.signal != 0 || result.preempted) return exit_preempted;
  if (result.elsewhere > 0 && result.unfinished > 0)
    return exit_preempted;  // another program has them: look again later
  if (result.failed + result.diverged > 0) return exit_some_failed;
  return result.unfinished > 0 ? exit_failure : exit_ok;
}

}  // namespace ablate::run
