// Measuring banks of one trial, and remembering what came of it.

#include "experiments/worker_calibrate.h"

#include <c10/util/Exception.h>

#include <iostream>

#include "experiments/catalog.h"
#include "experiments/worker_events.h"
#include "experiments/worker_trial.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/train/calibrate.h"
#include "harness/train/cuda.h"
#include "harness/train/device.h"

namespace ablate {
namespace {

/// Everything that the choice depends on: the shape of a step, the device, the library.
std::string key_of(const Job& job, const std::string& device) {
  const Json& config = job.trials.at(0).config;
  const Json& train = config.at("train");
  return sha256(canonical({{"model", config.at("model")},
                           {"vocabulary", config.at("vocabulary")},
                           {"objective", config.at("objective")},
                           {"batch", train.at("batch")},
                           {"packing", train.at("packing")},
                           {"precision", train.at("precision")},
                           {"dropout", train.at("dropout")},
                           {"most", job.trials.size()},
                           {"device", device_model(device)},
                           {"library", about_library().at("libtorch")}}));
}

/// What was measured before, by key; empty where there is nothing to be read.
Json remembered(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return Json::object();
  Json all = Json::parse(read_file(file), nullptr, false);
  return all.is_object() ? all : Json::object();
}

void remember(const std::filesystem::path& file, const std::string& key, const LaneChoice& choice) {
  try {
    Json all = remembered(file);
    all[key] = to_json(choice);
    write_file(file, canonical(all) + "\n");
  } catch (const std::runtime_error& error) {
    std::cerr << "ablate-worker: the number of lanes is not remembered: " << error.what() << "\n";
  }
}

}  // namespace

LaneChoice calibrate(const Job& job, const std::string& device) {
  const std::filesystem::path file = job.corpus.parent_path() / "lanes.json";
  const std::string key = key_of(job, device);
  if (const Json all = remembered(file); all.contains(key))
    return lane_choice_from_json(all.at(key));
  const Corpus corpus = Corpus::open(job.corpus);
  const Trial& trial = job.trials[0];
  const auto batches = batches_of(trial, catalog(), corpus);
  BankSubject subject;
  subject.build = [&](std::int64_t lanes) { return network_of(trial, lanes, device); };
  subject.batch = [&](std::int64_t step) { return batches->step(step).batch; };
  subject.dropout = trial.config.at("train").at("dropout");
  subject.device = device;
  const auto measure = [&](std::size_t lanes) {
    try {
      return measure_bank(subject, lanes);
    } catch (const c10::Error& error) {
      throw std::runtime_error(error.what_without_backtrace());
    }
  };
  const LaneChoice choice = choose_lanes(measure, device_memory(device).free, job.trials.size());
  remember(file, key, choice);
  return choice;
}

void tell_lanes(const LaneChoice& choice) { WorkerEvents().lanes(to_json(choice)); }

}  // namespace ablate
