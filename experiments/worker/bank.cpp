// Trains and measures the trials of a job in order, and turns errors into outcomes.

#include "experiments/worker/bank.h"

#include <c10/util/Exception.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>

#include "experiments/catalog.h"
#include "experiments/worker/measure_one.h"
#include "experiments/worker/process/events.h"
#include "experiments/worker/process/stop.h"
#include "experiments/worker/team.h"
#include "experiments/worker/trial_run.h"
#include "harness/base/exit_code.h"
#include "harness/base/names.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/time/stopwatch.h"
#include "harness/base/time/time_spent.h"
#include "harness/store/journal/trial_folders.h"
#include "harness/train/network/tensor_memory.h"
#include "models/specs/bfloat16_spec.h"

namespace ablate::worker {
namespace {

constexpr std::size_t kMeasuredTogether = 16;  // trials: each has a thread and two networks

/// The message of an exception for the record, without LibTorch's backtrace. A fault of the machine and
/// the loss of a rank are thrown on, and end this worker: the one is no outcome, and the other counts as a
/// crash of it.
std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const train::RankLost&) {
    throw;  // as where a worker ends: the trial goes on from its checkpoint
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    if (is_machine_fault(error)) throw;
    return explained(error);
  } catch (...) {
    return "an unknown exception was thrown";
  }
}

/// Of a trial's lease; none where the folder is not shared.
store::LeaseTicket ticket_of(const run::Job& job, const plan::Trial& trial) {
  const auto found = job.leases.find(trial.id);
  return found == job.leases.end() ? store::LeaseTicket() : found->second;
}

/// Refuses trials of different models, and ids that are not safe as names of folders.
void check_bank(const std::vector<plan::Trial>& trials, const Computing& computing) {
  const Json& first = trials.at(0).config;
  for (const plan::Trial& trial : trials) {
    if (!is_safe_folder_name(trial.id))
      reject(
          "the job: '{}' is not the id of a trial; 1 to 64 letters, digits, '-' and '_' are "
          "accepted",
          trial.id);
    for (const char* key : {"model", "vocabulary", "corpus"})
      if (trial.config.at(key) != first.at(key))
        reject("the job: trials {} and {} differ in {}; trials of one bank share it", trials[0].id,
               trial.id, key);
    for (const char* key : {"batch", "precision", "kernels"})
      if (trial.config.at("train").at(key) != first.at("train").at(key))
        reject("the job: trials {} and {} differ in train.{}; trials of one bank share it",
               trials[0].id, trial.id, key);
  }
  if (computing.device != "cpu" || !computing.bfloat16) return;
  if (const std::string refusal = models::bfloat16_refusal(); !refusal.empty())
    reject("{}", refusal);
}

/// Whether nothing is left to train. `lacking`: the first step whose weights must be measured and
/// were not kept. Where a trial was trained without them, that is noted in its journal.
bool is_trained(TrialRun& run, std::optional<std::int64_t> lacking) {
  if (!train::final_weights(run.files()) ||
      !has_phase_weights(run.files(), run.trial.phases.size()))
    return false;
  if (lacking)
    run.journal.write(
        "note", {{"message", fmt::format("trained again from the start: the weights after step {} "
                                         "are to be measured, and were not kept",
                                         *lacking)}});
  return !lacking;
}

/// What failed while a trial was measured.
struct ProbeFailures {
  std::vector<std::string> messages;
  bool on_the_way = false;  // some were of weights on the way

  void add(const MissingMeasurement& wanted, const std::string& message) {
    const std::string after = wanted.step ? fmt::format(" after step {}", *wanted.step) : "";
    messages.push_back(fmt::format("{}{}: {}", wanted.probe->spec->name, after, message));
    on_the_way |= wanted.step.has_value();
  }

  /// Which of so many measurements failed, and why; empty where none did.
  std::string text(std::size_t tried) const {
    if (messages.empty()) return "";
    return fmt::format("trained, but {} of {} measurements failed: {}", messages.size(), tried,
                       fmt::join(messages, "; "));
  }
};

class Worker {
 public:
  Worker(const run::Job& job, Computing computing, const Json& provenance)
      : job_(job), computing_(std::move(computing)), corpora_(job.corpus), team_(job) {
    for (const plan::Trial& trial : job_.trials) open(trial, provenance);
  }

  int run() {
    std::vector<TrialRun*> all;
    for (const auto& run : runs_) all.push_back(run.get());
    if (job_.task != run::Task::measure) train_waiting(all);
    team_.dismiss();
    train::release_tensor_memory();  // probes use other shapes
    if (job_.task != run::Task::train) measure(all);
    if (!stop_signal()) return exit_code_;  // what has no outcome is left to another worker
    bool stopped = false;
    for (const auto& run : runs_) {
      if (run->over) continue;
      end(*run, "stopped", "stopped by a signal; run the same command again to continue");
      stopped = true;
    }
    return stopped ? stop_exit_code() : exit_code_;
  }

 private:
  /// Starts an attempt of a trial that is not finished.
  void open(const plan::Trial& trial, const Json& provenance);

  /// Trains those of the trials that are not trained yet.
  void train_waiting(const std::vector<TrialRun*>& runs);

  /// Trains trials together from a common step; if that fails, in two halves.
  void train_group(const std::vector<TrialRun*>& runs, std::int64_t from);

  /// Notes in the log and the journals why a bank is trained again.
  static void note_failure(const std::vector<TrialRun*>& runs, const std::string& message);

  /// Trains trials as one model from a common step.
  void train_bank(const std::vector<TrialRun*>& runs, std::int64_t from);

  /// Measures the trained ones of the trials. Those that were trained as a bank are measured as one;
  /// a worker that measures for others does it trial by trial, since it is on the CPU, where that is
  /// as fast and holds less memory.
  void measure(const std::vector<TrialRun*>& runs);

  /// Measures trials whose models share their forward passes, where there are several.
  void measure_together(std::span<TrialRun* const> runs);

  /// Runs the missing probes of a trained trial, and ends it. `passes`: see measure_one().
  void probe(TrialRun& run, probes::SharedPasses& passes);

  /// Ends a trial with this outcome.
  void end(TrialRun& run, const std::string& outcome, const std::string& message);

  /// Does `work` for a trial. If it throws, the trial has failed, unless the machine is at fault.
  template <class Work>
  void attempt(TrialRun& run, const Work& work) {
    try {
      work();
    } catch (const Stopped&) {
      // run() writes this outcome together with those of all other unfinished trials.
    } catch (...) {
      end(run, "failed", message_of(std::current_exception()));
    }
  }

  const run::Job& job_;
  const Computing computing_;
  const Corpora corpora_;
  Team team_;
  std::vector<std::unique_ptr<TrialRun>> runs_;
  WorkerEvents events_;
  int exit_code_ = exit_ok;
};

void Worker::open(const plan::Trial& trial, const Json& provenance) {
  try {
    auto run = std::make_unique<TrialRun>(trial, store::trial_folder(job_.results, trial.id),
                                          ticket_of(job_, trial));
    if (const auto settled = run->settled()) {
      events_.outcome(trial, settled->outcome, settled->message);
      return;
    }
    run->journal.write("attempt", {{"trial", trial}, {"provenance", provenance}});
    runs_.push_back(std::move(run));
    attempt(*runs_.back(), [&] { runs_.back()->resolve(catalog()); });
  } catch (const DamagedFile& error) {
    exit_code_ = exit_damaged;
    std::cerr << "ablate-worker: " << error.what() << "\n";
  }
}

void Worker::train_waiting(const std::vector<TrialRun*>& runs) {
  std::vector<TrialRun*> waiting;
  std::vector<std::vector<std::int64_t>> steps;
  for (TrialRun* run : runs)
    if (!run->over)
      attempt(*run, [&] {
        const auto lacking = train::first_without_snapshot(run->files(), run->missing_steps());
        if (is_trained(*run, lacking)) return;
        steps.push_back(train::resumable_steps(run->files()));
        if (lacking) std::erase_if(steps.back(), [&](auto step) { return step >= *lacking; });
        waiting.push_back(run);
      });
  if (waiting.empty()) return;
  for (const train::ResumeGroup& group : train::resume_groups(steps)) {
    std::vector<TrialRun*> members;
    for (const std::size_t lane : group.lanes) members.push_back(waiting[lane]);
    if (!stop_signal()) train_group(members, group.step);
  }
}

void Worker::train_group(const std::vector<TrialRun*>& runs, std::int64_t from) {
  if (runs.size() == 1) return attempt(*runs[0], [&] { train_bank(runs, from); });
  try {
    return train_bank(runs, from);
  } catch (const Stopped&) {
    return;
  } catch (...) {
    note_failure(runs, message_of(std::current_exception()));
  }
  const auto half = runs.begin() + (std::ssize(runs) + 1) / 2;
  train_waiting({runs.begin(), half});
  train_waiting({half, runs.end()});
}

void Worker::note_failure(const std::vector<TrialRun*>& runs, const std::string& message) {
  const std::string words = fmt::format(
      "a bank of {} lanes failed and is trained again in two halves: {}", runs.size(), message);
  std::cerr << "ablate-worker: " << words << "\n";
  for (TrialRun* run : runs)
    if (!run->over) run->journal.write("note", {{"message", words}});
}

void Worker::train_bank(const std::vector<TrialRun*>& runs, std::int64_t from) {
  Stopwatch watch;
  std::vector<train::TrainingLane> lanes;
  for (TrialRun* run : runs) lanes.push_back(lane_of(*run, corpora_));
  const double data = watch.lap();
  const auto network =
      network_of(runs[0]->resolved, static_cast<std::int64_t>(runs.size()), computing_);
  const double model = watch.lap();

  train::TrainingSettings settings;
  settings.device = computing_.device;
  settings.threads = job_.threads;
  settings.checkpoint_seconds = job_.checkpoint_seconds;
  settings.stop = [] { return stop_signal() != 0; };
  settings.progress = [this](const train::TrainingProgress& p) {
    events_.progress(*p.trial, {"train", p.step, p.steps, p.progress, p.loss, p.tokens_per_second});
  };
  settings.note = [](const std::string& words) { std::cerr << "ablate-worker: " << words << "\n"; };
  settings.ended = [&](std::size_t lane, const train::TrainingResult& result) {
    if (result.end == train::LaneEnd::diverged) end(*runs[lane], "diverged", result.message);
    if (result.end == train::LaneEnd::unfaithful) end(*runs[lane], "failed", result.message);
  };
  try {
    settings.ranks = team_.assemble(runs, from);
    train::train(*network, std::move(lanes), from, settings);
  } catch (const train::RankLost& lost) {
    const std::string how = team_.losses();
    throw train::RankLost(how.empty() ? lost.what() : how);
  } catch (...) {
    team_.disband();
    throw;
  }
  const double trained = watch.lap();
  for (TrialRun* run : runs) {
    run->write_stage("data", data, runs.size());
    run->write_stage("model", model, runs.size());
    run->write_stage("train", trained, runs.size());
  }
}

void Worker::measure(const std::vector<TrialRun*>& runs) {
  std::vector<TrialRun*> open;
  std::ranges::copy_if(runs, std::back_inserter(open), [](TrialRun* run) { return !run->over; });
  const std::size_t most = job_.task == run::Task::measure ? 1 : kMeasuredTogether;
  for (std::size_t first = 0; first < open.size() && !stop_signal(); first += most)
    measure_together(std::span(open).subspan(first, std::min(most, open.size() - first)));
}

void Worker::measure_together(std::span<TrialRun* const> runs) {
  probes::SharedPasses passes(
      [&](std::int64_t lanes) { return network_of(runs[0]->resolved, lanes, {computing_.device}); },
      [](const std::string& words) { std::cerr << "ablate-worker: " << words << "\n"; });
  bool faulty = false;  // the machine: then the others are left to another worker
  std::vector<std::function<void()>> tasks;
  for (TrialRun* run : runs)
    tasks.emplace_back([&, run] {
      if (faulty || stop_signal()) return;
      try {
        attempt(*run, [&] { probe(*run, passes); });
      } catch (...) {
        faulty = true;
        throw;
      }
    });
  passes.run(tasks);
}

void Worker::probe(TrialRun& run, probes::SharedPasses& passes) {
  const TimeSpent before = time_spent();
  const auto weights = train::final_weights(run.files());
  if (!weights) return;  // training was stopped
  const std::vector<MissingMeasurement> missing = run.missing_measurements();
  double done = 0;
  ProbeFailures failures;
  for (const MissingMeasurement& wanted : missing) {
    const auto progress = [&](double fraction) {
      if (stop_signal()) throw Stopped();
      const double all = (done + fraction) / static_cast<double>(missing.size());
      events_.progress(run.trial, {.stage = "probes", .fraction = all});
    };
    try {
      measure_one(run, wanted, *weights, corpora_, computing_.device, passes, progress);
    } catch (const ProbeFailed& failed) {
      const std::string message = message_of(failed.cause);
      run.write_failure(wanted, message);
      failures.add(wanted, message);
    }
    ++done;
  }
  run.write_stage("probes", (time_spent() - before).seconds, 1);  // its own, where they take turns
  run.keeps_snapshots = failures.on_the_way;
  end(run, "completed", failures.text(missing.size()));
}

void Worker::end(TrialRun& run, const std::string& outcome, const std::string& message) {
  run.over = true;
  // Before the outcome is there: a trial that has one is not opened again, and files that a kill left
  // would stay. A trial that failed or was stopped may still be measured on the way.
  if (outcome == "completed") train::remove_checkpoints(run.folder);
  if ((outcome == "completed" && !run.keeps_snapshots) || outcome == "diverged")
    train::remove_snapshots(run.folder);
  run.journal.write("outcome", {{"outcome", outcome}, {"message", message}});
  events_.outcome(run.trial, outcome, message);
}

}  // namespace

int run_job(const run::Job& job, const std::string& device, const Json& provenance) {
  if (job.trials.empty()) return exit_ok;
  if (const std::string refusal = train::ranks_refusal();
      !job.followers.empty() && !refusal.empty())
    reject("--ranks: {}", refusal);  // before a journal is opened: it is no outcome
  const Computing computing = computing_of(job, device);
  check_bank(job.trials, computing);
  return Worker(job, computing, provenance).run();
}

}  // namespace ablate::worker
