// Measuring banks of one trial, and remembering what came of it.

#include "experiments/worker_calibrate.h"

#include <c10/util/Exception.h>

#include <iostream>

#include "experiments/catalog.h"
#include "experiments/worker_events.h"
#include "experiments/worker_trial.h"
#include "harness/base/sha256.h"
#include "harness/plan/identity.h"
#include "harness/run/lane_cache.h"
#include "harness/train/calibrate.h"
#include "harness/train/cuda.h"
#include "harness/train/device.h"

namespace ablate {
namespace {

/// Everything that the choice depends on: the shape of a step, the device, the library.
std::string key_of(const Job& job, const std::string& device) {
  Json key = step_kind(job.trials.at(0).config);
  key.update({{"most", job.trials.size()},
              {"device", device_model(device)},
              {"library", about_library().at("libtorch")}});
  return sha256(canonical(key));
}

void remember(const std::filesystem::path& file, const std::string& key, const LaneChoice& choice) {
  try {
    keep_lanes(file, key, choice);
  } catch (const std::runtime_error& error) {
    std::cerr << "ablate-worker: the number of lanes is not remembered: " << error.what() << "\n";
  }
}

/// The phase of the longest rows: what holds those holds the others'.
std::size_t widest_phase(const Trial& trial) {
  const auto positions = [](const PhaseSize& phase) {
    return phase.shape.time + phase.shape.source_time;
  };
  std::size_t widest = 0;
  for (std::size_t i = 1; i < trial.phases.size(); ++i)
    if (positions(trial.phases[i]) > positions(trial.phases[widest])) widest = i;
  return widest;
}

}  // namespace

LaneChoice calibrate(const Job& job, const std::string& device) {
  const std::filesystem::path file = job.corpus.parent_path() / "lanes.json";
  const std::string key = key_of(job, device);
  if (const auto known = find_lanes(file, key)) return *known;
  const Corpora corpora(job.corpus);
  const Trial& trial = job.trials[0];
  const auto batches = batches_of(trial, widest_phase(trial), catalog(), corpora);
  BankSubject subject;
  subject.build = [&](std::int64_t lanes) { return network_of(trial, lanes, device); };
  subject.batch = [&](std::int64_t step) { return batches->step(step).batch; };
  subject.heads = hosting_of(trial, catalog()).needs.heads;
  subject.dropout = trial.config.at("train").at("dropout");
  subject.device = device;
  const auto measure = [&](std::size_t lanes) {
    try {
      return measure_bank(subject, lanes);
    } catch (const c10::Error& error) {
      throw std::runtime_error(error.what_without_backtrace());
    }
  };
  const DeviceMemory memory = device_memory(device);
  const LaneChoice choice = choose_lanes(measure, memory.free, job.trials.size());
  if (is_lasting(choice, memory.whole, job.trials.size())) remember(file, key, choice);
  return choice;
}

void tell_lanes(const LaneChoice& choice) { WorkerEvents().lanes(to_json(choice)); }

}  // namespace ablate
