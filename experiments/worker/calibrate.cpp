// Measures banks of one trial and stores the result in the cache.

#include "experiments/worker/calibrate.h"

#include <c10/util/Exception.h>

#include <iostream>

#include "experiments/catalog.h"
#include "experiments/worker/process/events.h"
#include "experiments/worker/trial_run.h"
#include "harness/base/sha256.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/step_kind.h"
#include "harness/run/job/lane_cache.h"
#include "harness/train/calibrate.h"
#include "harness/train/network/device.h"
#include "harness/train/step/cuda.h"

namespace ablate::worker {
namespace {

/// A hash of everything that the choice depends on: shape of a step, maximum, device and library.
std::string key_of(const run::Job& job, const std::string& device) {
  Json key = plan::step_kind(job.trials.at(0).config);
  key.update({{"most", job.trials.size()},
              {"device", train::device_model(device)},
              {"library", train::about_library().at("libtorch")}});
  return sha256(canonical(key));
}

void remember(const std::filesystem::path& file, const std::string& key,
              const run::LaneChoice& choice) {
  try {
    run::keep_lanes(file, key, choice);
  } catch (const std::runtime_error& error) {
    std::cerr << "ablate-worker: the number of lanes could not be stored: " << error.what() << "\n";
  }
}

/// The phase with the longest rows, which needs the most memory.
std::size_t widest_phase(const plan::ResolvedTrial& trial) {
  const auto positions = [](const plan::ResolvedPhase& phase) {
    return phase.shape.time + phase.shape.source_time;
  };
  std::size_t widest = 0;
  for (std::size_t i = 1; i < trial.phases.size(); ++i)
    if (positions(trial.phases[i]) > positions(trial.phases[widest])) widest = i;
  return widest;
}

}  // namespace

run::LaneChoice calibrate(const run::Job& job, const std::string& device) {
  const std::filesystem::path file = job.corpus.parent_path() / "lanes.json";
  const std::string key = key_of(job, device);
  if (const auto known = run::find_lanes(file, key)) return *known;
  const Corpora corpora(job.corpus);
  const plan::ResolvedTrial trial = plan::resolve(job.trials[0], catalog());
  const auto batches = batches_of(trial, widest_phase(trial), corpora);
  const Computing computing = computing_of(job, device);
  train::BankSubject subject;
  subject.build = [&](std::int64_t lanes) { return network_of(trial, lanes, computing); };
  subject.batch = [&](std::int64_t step) { return batches->step(step).batch; };
  subject.heads = trial.hosting.needs.heads.size();
  subject.dropout = trial.own.train.number("dropout");
  subject.loss = plan::loss_of(trial.own.train);
  subject.micro_batch = plan::micro_batch_of(trial.own.train);
  subject.device = device;
  const auto measure = [&](std::size_t lanes) {
    try {
      return train::measure_bank(subject, lanes);
    } catch (const c10::Error& error) {
      throw std::runtime_error(error.what_without_backtrace());
    }
  };
  const train::DeviceMemory memory = train::device_memory(device);
  const run::LaneChoice choice = run::choose_lanes(measure, memory.free, job.trials.size());
  if (run::is_lasting(choice, memory.total, job.trials.size())) remember(file, key, choice);
  return choice;
}

void tell_lanes(const run::LaneChoice& choice) { WorkerEvents().lanes(to_json(choice)); }

}  // namespace ablate::worker
