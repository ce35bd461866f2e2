// One trial in a worker: its journal, what is left to do, and what it is made of.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/batches.h"
#include "harness/data/corpus.h"
#include "harness/probes/probe.h"
#include "harness/train/checkpoints.h"
#include "harness/train/trainer.h"

namespace ablate {

struct Seat {
  Seat(const Trial& given, const std::filesystem::path& where);

  TrialFiles files() { return {trial.id, folder, journal}; }

  /// The outcome of former attempts, where nothing is left to do.
  struct Settled {
    std::string outcome, message;
  };
  std::optional<Settled> settled() const;

  /// The trial's probes that the journal has no measurement of.
  std::vector<Json> missing_probes() const;

  void write_stage(std::string_view stage, double seconds, std::size_t lanes);

  const Trial& trial;
  std::filesystem::path folder;
  Journal journal;
  bool over = false;  // it has an outcome
};

/// What the trial's network is built for.
Hosting hosting_of(const Trial& trial, const Catalog& catalog);

/// What the trial reads. Throws std::invalid_argument where the corpus is not the trial's.
std::shared_ptr<const Batches> batches_of(const Trial& trial, const Catalog& catalog,
                                          const Corpus& corpus);

/// The trial as a lane to be trained. Throws std::invalid_argument where the corpus is not the
/// trial's.
TrainingLane lane_of(Seat& seat, const Catalog& catalog, const Corpus& corpus);

/// A network for the trial's model, its parameters not yet initialised.
std::unique_ptr<Network> network_of(const Trial& trial, std::int64_t lanes,
                                    const std::string& device);

/// Runs one probe on the trained trial and writes the measurement to the journal. `cache`: the
/// folder of the corpus.
void measure_one(Seat& seat, const Json& probe, const Checkpoint& weights, const Catalog& catalog,
                 const Corpus& corpus, const std::filesystem::path& cache,
                 const std::string& device, const ProgressSink& progress);

}  // namespace ablate
