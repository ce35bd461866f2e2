#include "harness/run/sweep.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/run/job/protocol.h"
#include "harness/run/outcomes.h"
#include "harness/run/worker/machine.h"
#include "harness/run/worker/process.h"
#include "harness/run/worker/signals.h"
#include "harness/store/journal/journal.h"

namespace ablate::run {
namespace {

constexpr int kTickMs = 200;  // the longest that the loop waits for an event

/// Where a worker can work.
struct Place {
  std::string device;
  int core = -1;
};

/// A running worker.
struct Running {
  Chunk chunk;
  Place place;
  std::vector<std::size_t> attempts_before;  // of each trial
  std::filesystem::path log;
  double started = 0;  // monotonic seconds
  std::unique_ptr<Process> process;
};

class Sweep {
 public:
  Sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings, Progress& progress)
      : plan_(plan),
        settings_(settings),
        progress_(progress),
        waiting_(todo.chunks.begin(), todo.chunks.end()) {
    for (std::size_t i = 0; i < settings.devices.size(); ++i)
      idle_.push_back({settings.devices[i], i < settings.cores.size() ? settings.cores[i] : -1});
  }

  SweepResult run() {
    while (start_workers(), !running_.empty()) {
      wait();
      for (const int number : signals_.take()) take_signal(number);
      for (auto& worker : running_) listen(*worker);
      reap();
      progress_.tick();
    }
    progress_.end();
    count_outcomes(plan_, settings_.results, result_);
    return result_;
  }

 private:
  void start_workers() {
    while (!stopping_ && !waiting_.empty() && !idle_.empty()) {
      Chunk chunk = std::move(waiting_.front());
      waiting_.pop_front();
      start(std::move(chunk), idle_.back());
      idle_.pop_back();
    }
  }

  void start(Chunk chunk, const Place& place) {
    auto worker = std::make_unique<Running>();
    worker->place = place;
    for (const plan::Trial& trial : chunk.trials) {
      const auto folder = trial_folder(settings_.results, trial.id);
      std::filesystem::create_directories(folder);
      worker->attempts_before.push_back(
          store::read_trial_state(folder / "journal.jsonl").attempts.size());
      progress_.started(trial);
    }
    const Job job{.results = settings_.results,
                  .corpus = plan_.corpus,
                  .trials = chunk.trials,
                  .device = place.device,
                  .core = place.core,
                  .checkpoint_seconds = settings_.checkpoint_seconds,
                  .command = settings_.command,
                  .lane_choice = chunk.lane_choice};
    worker->log = trial_folder(settings_.results, chunk.trials[0].id) / "worker.log";
    worker->started = monotonic_seconds();
    worker->process =
        std::make_unique<Process>(settings_.worker, canonical(job) + "\n", worker->log);
    worker->chunk = std::move(chunk);
    running_.push_back(std::move(worker));
  }

  /// Waits for output of a worker, for a signal or for the next redraw.
  void wait() {
    std::vector<pollfd> files = {{signals_.file(), POLLIN, 0}};
    for (const auto& worker : running_)
      if (!worker->process->closed()) files.push_back({worker->process->output(), POLLIN, 0});
    ::poll(files.data(), files.size(), kTickMs);
  }

  void listen(Running& worker) {
    for (const std::string& line : worker.process->lines()) {
      const Json event = Json::parse(line, nullptr, false);
      if (!event.is_discarded()) progress_.heard(event);  // other lines are ignored
    }
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
    stopping_ = true;
    for (auto& worker : running_) worker->process->signal(number);
  }

  void reap() {
    std::vector<std::unique_ptr<Running>> gone;
    for (auto& worker : running_)
      if (worker->process->ended()) gone.push_back(std::move(worker));
    std::erase(running_, nullptr);
    for (const auto& worker : gone) {
      listen(*worker);  // its last events
      idle_.push_back(worker->place);
      settle(*worker);
    }
  }

  /// Records the outcomes of the trials of a worker that has ended.
  void settle(const Running& worker) {
    const Ending ending = ending_of(worker.process->status(), stopping_);
    for (std::size_t i = 0; i < worker.chunk.trials.size(); ++i) {
      const plan::Trial& trial = worker.chunk.trials[i];
      try {
        settle_trial(worker, trial, worker.attempts_before[i], ending);
      } catch (const DamagedFile& error) {
        damaged(trial, error.what());
      } catch (const std::runtime_error& error) {
        // Most likely the disk is full. Records of other trials may still fit.
        progress_.dropped(trial);
        progress_.note(fmt::format("the outcome of trial {} could not be recorded: {}", trial.id,
                                   error.what()));
      }
    }
    const double seconds = monotonic_seconds() - worker.started;
    if (const auto timing =
            timing_of(worker.chunk.trials, worker.place.device, seconds, settings_.results))
      result_.speeds.observe(*timing);
    std::error_code ignored;
    if (std::filesystem::is_empty(worker.log, ignored))
      std::filesystem::remove(worker.log, ignored);
  }

  void settle_trial(const Running& worker, const plan::Trial& trial, std::size_t attempts_before,
                    Ending ending) {
    const store::TrialState state =
        store::read_trial_state(store::journal_file(settings_.results, trial.id));
    const bool began = state.attempts.size() > attempts_before;
    const bool settled = state.outcome != "unfinished" && (began || ending == Ending::well);
    if (settled) return finished(trial, state.outcome, state.message);
    if (ending == Ending::damaged) return damaged(trial, last_lines(worker.log));
    progress_.dropped(trial);
    if (ending == Ending::stopped) return stopped();
    const std::string words = crash_text(worker.process->status(), worker.log);
    if (!worker.chunk.retry || stopping_) {
      progress_.note(fmt::format("{} seed {} (trial {}): {}{}", trial.arm, trial.seed, trial.id,
                                 words, stopping_ ? "" : "\nit is tried once more, alone"));
      waiting_.push_back({{trial}, true, false, {}});
      return;
    }
    record_failure(settings_.results, trial, began, words);
    finished(trial, "failed", words);
  }

  void finished(const plan::Trial& trial, const std::string& outcome, const std::string& message) {
    progress_.finished(trial, outcome, message);
    if (outcome == "completed" || !settings_.fail_fast || stopping_) return;
    progress_.note("--fail-fast: the other workers stop with a checkpoint");
    stop(SIGTERM);
  }

  void damaged(const plan::Trial& trial, const std::string& message) {
    result_.damaged = true;
    progress_.dropped(trial);
    progress_.note(
        fmt::format("{} seed {} (trial {}): {}", trial.arm, trial.seed, trial.id, message));
  }

  /// A signal stopped a worker. Where this program got none, one is about to arrive, or it was
  /// meant for the complete sweep: stops the others as well.
  void stopped() {
    if (stopping_) return;
    result_.preempted = true;
    progress_.note("a signal stopped a worker: the others stop with a checkpoint, too");
    stop(SIGTERM);
  }

  const plan::Plan& plan_;
  const SweepSettings& settings_;
  Progress& progress_;
  Signals signals_;  // before any worker is started
  std::deque<Chunk> waiting_;
  std::vector<Place> idle_;
  std::vector<std::unique_ptr<Running>> running_;
  SweepResult result_;
  bool stopping_ = false;
};

}  // namespace

SweepResult run_sweep(const plan::Plan& plan, const Todo& todo, const SweepSettings& settings,
                      Progress& progress) {
  for (const plan::Trial& trial : plan.trials)
    progress.expect(trial,
                    std::find(todo.done.begin(), todo.done.end(), trial.id) != todo.done.end());
  return Sweep(plan, todo, settings, progress).run();
}

int exit_code_of(const SweepResult& result) {
  if (result.damaged) return exit_damaged;
  if (result.signal == SIGINT) return exit_interrupted;
  if (result.signal != 0 || result.preempted) return exit_preempted;
  if (result.failed + result.diverged > 0) return exit_some_failed;
  return result.unfinished > 0 ? exit_failure : exit_ok;
}

}  // namespace ablate::run
