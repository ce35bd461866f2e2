// The order of a worker's work, and what becomes of everything that goes wrong in it.

#include "experiments/worker_bank.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <optional>

#include "experiments/catalog.h"
#include "experiments/worker_events.h"
#include "experiments/worker_stop.h"
#include "experiments/worker_trial.h"
#include "harness/base/exit_code.h"
#include "harness/train/stopwatch.h"
#include "harness/train/tensor_memory.h"
#include "models/bfloat16_spec.h"

namespace ablate {
namespace {

/// What went wrong, in one line for the record: without LibTorch's backtrace.
std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no exception was thrown";
  }
}

/// Whether the id can name a folder, and no other place.
bool is_plain(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_';
  });
}

/// Refuses trials that are not of one model, and ids that would lead out of the results.
void check_bank(const std::vector<Trial>& trials, const std::string& device) {
  const Json& first = trials.at(0).config;
  for (const Trial& trial : trials) {
    if (!is_plain(trial.id)) reject("the job: '", trial.id, "' is no trial's id");
    for (const char* key : {"model", "vocabulary", "corpus"})
      if (trial.config.at(key) != first.at(key))
        reject("the job: trials ", trials[0].id, " and ", trial.id, " differ in ", key,
               "; trials of one bank share it");
    for (const char* key : {"batch", "precision", "kernels"})
      if (trial.config.at("train").at(key) != first.at("train").at(key))
        reject("the job: trials ", trials[0].id, " and ", trial.id, " differ in train.", key,
               "; trials of one bank share it");
  }
  if (device != "cpu" || first.at("train").at("precision") != "bfloat16") return;
  if (const std::string refusal = bfloat16_refusal(); !refusal.empty()) reject(refusal);
}

class Worker {
 public:
  Worker(const Job& job, std::string device, const Json& provenance)
      : job_(job), device_(std::move(device)), corpora_(job.corpus) {
    for (const Trial& trial : job_.trials) open(trial, provenance);
  }

  int run() {
    train_waiting();
    release_tensor_memory();  // probes have other shapes
    for (const auto& seat : seats_)
      if (!seat->over && !stop_signal()) attempt(*seat, [&] { probe(*seat); });
    bool stopped = false;
    for (const auto& seat : seats_) {
      if (seat->over) continue;
      end(*seat, "stopped", "cut off; run the same command again");
      stopped = true;
    }
    return stopped ? stop_exit_code() : exit_code_;
  }

 private:
  void open(const Trial& trial, const Json& provenance);
  void train_waiting();
  void train_group(const std::vector<Seat*>& seats, std::int64_t from);
  void train_bank(const std::vector<Seat*>& seats, std::int64_t from);
  void probe(Seat& seat);
  void end(Seat& seat, const std::string& outcome, const std::string& message);

  /// Does `work` for a trial; what it throws becomes the trial's outcome.
  template <class Work>
  void attempt(Seat& seat, const Work& work) {
    try {
      work();
    } catch (const Stopped&) {
      // Its outcome is written with those of all others that are not over.
    } catch (...) {
      end(seat, "failed", message_of(std::current_exception()));
    }
  }

  const Job& job_;
  const std::string device_;
  const Corpora corpora_;
  std::vector<std::unique_ptr<Seat>> seats_;
  WorkerEvents events_;
  int exit_code_ = exit_ok;
};

void Worker::open(const Trial& trial, const Json& provenance) {
  try {
    auto seat = std::make_unique<Seat>(trial, trial_folder(job_.results, trial.id));
    if (const auto settled = seat->settled()) {
      events_.outcome(trial, settled->outcome, settled->message);
      return;
    }
    seat->journal.write("attempt", {{"trial", to_json(trial)}, {"provenance", provenance}});
    seats_.push_back(std::move(seat));
  } catch (const DamagedFile& error) {
    exit_code_ = exit_damaged;
    events_.outcome(trial, "failed", error.what());
  } catch (const std::exception& error) {
    if (exit_code_ == exit_ok)
      exit_code_ = exit_failure;  // there is no journal to hold the outcome
    events_.outcome(trial, "failed", error.what());
  }
}

void Worker::train_waiting() {
  std::vector<Seat*> waiting;
  std::vector<std::vector<std::int64_t>> steps;
  for (const auto& seat : seats_)
    attempt(*seat, [&] {
      if (final_weights(seat->files()) &&
          has_phase_weights(seat->files(), seat->trial.phases.size()))
        return;
      steps.push_back(resumable_steps(seat->files()));
      waiting.push_back(seat.get());
    });
  if (waiting.empty()) return;
  for (const ResumeGroup& group : resume_groups(steps)) {
    std::vector<Seat*> members;
    for (const std::size_t lane : group.lanes) members.push_back(waiting[lane]);
    if (!stop_signal()) train_group(members, group.step);
  }
}

void Worker::train_group(const std::vector<Seat*>& seats, std::int64_t from) {
  if (seats.size() == 1) return attempt(*seats[0], [&] { train_bank(seats, from); });
  try {
    return train_bank(seats, from);
  } catch (...) {
    const std::string message = message_of(std::current_exception());
    for (Seat* seat : seats)
      if (!seat->over) seat->journal.write("note", {{"message", "tried again alone: " + message}});
  }
  for (Seat* seat : seats)
    if (!seat->over && !stop_signal() && !final_weights(seat->files())) {
      const auto steps = resumable_steps(seat->files());
      train_group({seat}, steps.empty() ? 0 : steps[0]);
    }
}

void Worker::train_bank(const std::vector<Seat*>& seats, std::int64_t from) {
  Stopwatch watch;
  std::vector<TrainingLane> lanes;
  for (Seat* seat : seats) lanes.push_back(lane_of(*seat, catalog(), corpora_));
  const double data = watch.lap();
  const auto network =
      network_of(seats[0]->trial, static_cast<std::int64_t>(seats.size()), device_);
  const double model = watch.lap();

  TrainingSettings settings;
  settings.device = device_;
  settings.checkpoint_seconds = job_.checkpoint_seconds;
  settings.stop = [] { return stop_signal() != 0; };
  settings.progress = [this](const TrainingProgress& p) {
    events_.progress(*p.trial, {"train", p.step, p.steps, p.share, p.loss, p.tokens_per_second});
  };
  settings.note = [](const std::string& words) { std::cerr << "ablate-worker: " << words << "\n"; };
  settings.ended = [&](std::size_t lane, const TrainingResult& result) {
    if (result.end == LaneEnd::diverged) end(*seats[lane], "diverged", result.message);
    if (result.end == LaneEnd::unfaithful) end(*seats[lane], "failed", result.message);
  };
  train(*network, std::move(lanes), from, settings);
  const double trained = watch.lap();
  for (Seat* seat : seats) {
    seat->write_stage("data", data, seats.size());
    seat->write_stage("model", model, seats.size());
    seat->write_stage("train", trained, seats.size());
  }
}

void Worker::probe(Seat& seat) {
  const auto weights = final_weights(seat.files());
  if (!weights) return;  // it was stopped
  const std::vector<Json> missing = seat.missing_probes();
  Stopwatch watch;
  double done = 0;
  for (const Json& probe : missing) {
    const auto progress = [&](double share) {
      if (stop_signal()) throw Stopped();
      const double all = (done + share) / static_cast<double>(missing.size());
      events_.progress(seat.trial, {.stage = "probes", .share = all});
    };
    measure_one(seat, probe, *weights, catalog(), corpora_, device_, progress);
    ++done;
  }
  seat.write_stage("probes", watch.lap(), 1);
  end(seat, "completed", "");
}

void Worker::end(Seat& seat, const std::string& outcome, const std::string& message) {
  seat.over = true;
  try {
    seat.journal.write("outcome", {{"outcome", outcome}, {"message", message}});
  } catch (const std::exception& error) {
    exit_code_ = exit_failure;  // a full disk, most likely: the outcome is not on record
    events_.outcome(seat.trial, "failed", join(message, message.empty() ? "" : "; ", error.what()));
    return;
  }
  events_.outcome(seat.trial, outcome, message);
}

}  // namespace

int run_job(const Job& job, const std::string& device, const Json& provenance) {
  if (job.trials.empty()) return exit_ok;
  check_bank(job.trials, device);
  return Worker(job, device, provenance).run();
}

}  // namespace ablate
