// One trial in a worker: its journal, what is left to do, and what it is made of.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/batches/batches.h"
#include "harness/data/corpus/corpus.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/probes/probe.h"
#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/trainer.h"

namespace ablate::worker {

struct TrialRun {
  /// Opens the journal below `where`. Requires: the trial outlives it. Throws DamagedFile where the
  /// journal does not verify.
  TrialRun(const plan::Trial& given, const std::filesystem::path& where);

  train::TrialFiles files() { return {trial.id, folder, journal}; }

  /// The outcome of previous attempts, where nothing is left to do.
  struct Settled {
    std::string outcome, message;
  };
  std::optional<Settled> settled() const;

  /// Looks up all that the trial needs. Throws std::invalid_argument where its configuration is not
  /// of this catalogue.
  void resolve(const Catalog& catalog);

  /// The trial's probes that the journal has no measurement of. Requires: resolved.
  std::vector<plan::ResolvedProbe> missing_probes() const;

  /// Records how long a stage of the work took, in seconds, with how many lanes at once.
  void write_stage(std::string_view stage, double seconds, std::size_t lanes);

  const plan::Trial& trial;
  plan::ResolvedTrial resolved;
  std::filesystem::path folder;
  store::Journal journal;
  bool over = false;  // it has an outcome
};

/// The corpora of a job: its own, and those of phases, which lie beside it in the cache.
class Corpora {
 public:
  explicit Corpora(const std::filesystem::path& main);

  const data::Corpus& main() const { return main_; }
  const std::filesystem::path& cache() const { return cache_; }

  /// The one of that hash. Throws DamagedFile or std::runtime_error where it cannot be read.
  data::Corpus of(const std::string& hash) const;

 private:
  std::filesystem::path cache_;
  data::Corpus main_;
  mutable std::map<std::string, data::Corpus> opened_;  // by hash
};

/// What a phase of the trial reads. Throws std::invalid_argument where the job's corpus is not the
/// trial's. Requires: the corpora outlive it.
std::shared_ptr<const data::Batches> batches_of(const plan::ResolvedTrial& trial, std::size_t phase,
                                                const Corpora& corpora);

/// The trial as a lane to be trained. Throws std::invalid_argument where the job's corpus is not
/// the trial's. Requires: the corpora outlive it.
train::TrainingLane lane_of(TrialRun& run, const Corpora& corpora);

/// A network for the trial's model, its parameters not yet initialised.
std::unique_ptr<train::Network> network_of(const plan::ResolvedTrial& trial, std::int64_t lanes,
                                           const std::string& device);

/// Runs one probe on the trained trial and writes the measurement to the journal.
void measure_one(TrialRun& run, const plan::ResolvedProbe& probe, const store::Checkpoint& weights,
                 const Corpora& corpora, const std::string& device,
                 const probes::ProgressSink& progress);

}  // namespace ablate::worker
