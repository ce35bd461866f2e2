// A trial in a worker: its journal, what is left to do, and everything needed to do it.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/data/batches/batches.h"
#include "harness/data/corpus/corpus.h"
#include "harness/plan/resolve/resolve.h"
#include "harness/run/job/protocol.h"
#include "harness/train/checkpoint/checkpoints.h"
#include "harness/train/trainer.h"

namespace ablate::worker {

/// A measurement that is planned and not yet in the journal.
struct MissingMeasurement {
  const plan::ResolvedProbe* probe = nullptr;
  std::string id;
  std::optional<std::int64_t> step;  // on the way; empty: of what is trained
};

/// A trial that a worker trains and measures.
struct TrialRun {
  /// Opens the journal in the folder `where`. Keeps a reference to `given`. Throws DamagedFile if
  /// the journal does not verify.
  TrialRun(const plan::Trial& given, const std::filesystem::path& where,
           const store::LeaseTicket& ticket);

  train::TrialFiles files() { return {trial.id, folder, journal}; }  // for train/checkpoint

  /// The final outcome of a previous attempt.
  struct Settled {
    std::string outcome, message;
  };

  /// The outcome of previous attempts if nothing is left to do, otherwise nothing.
  std::optional<Settled> settled() const;

  /// Fills in `resolved` from the trial's configuration. Throws std::invalid_argument if the
  /// configuration does not fit this catalogue.
  void resolve(const Catalog& catalog);

  /// The measurements that are not in the journal: by step, with those of what is trained last.
  /// Requires, here and below: resolve() was called, and this object is not moved.
  std::vector<MissingMeasurement> missing_measurements() const;

  /// The steps of the missing measurements on the way.
  std::set<std::int64_t> missing_steps() const;

  /// Records in the journal that a measurement failed, and why.
  void write_failure(const MissingMeasurement& wanted, const std::string& message);

  /// Records in the journal how many seconds a stage took, for `lanes` trials at once.
  void write_stage(std::string_view stage, double seconds, std::size_t lanes);

  const plan::Trial& trial;
  plan::ResolvedTrial resolved;
  std::filesystem::path folder;
  store::Journal journal;
  bool over = false;             // whether it has an outcome
  bool keeps_snapshots = false;  // to measure on the way what failed, when the trial is run again
};

/// The corpora of a job: the experiment's, and those of phases, which are in the same cache.
class Corpora {
 public:
  /// `main`: file of the experiment's corpus. Throws DamagedFile or std::runtime_error if it cannot
  /// be read.
  explicit Corpora(const std::filesystem::path& main);

  const data::Corpus& main() const { return main_; }             // the experiment's corpus
  const std::filesystem::path& cache() const { return cache_; }  // the folder of all corpora

  /// The corpus with this hash. Throws DamagedFile or std::runtime_error if it cannot be read.
  data::Corpus of(const std::string& hash) const;

 private:
  std::filesystem::path cache_;
  data::Corpus main_;
  mutable std::map<std::string, data::Corpus> opened_;  // by hash
};

/// The batches that phase number `phase` of the trial reads. Throws std::invalid_argument if the
/// job has another corpus than the trial. Requires: the corpora outlive it.
std::shared_ptr<const data::Batches> batches_of(const plan::ResolvedTrial& trial, std::size_t phase,
                                                const Corpora& corpora);

/// The phases of a trial for the trainer. Throws std::invalid_argument if the job has another corpus than the
/// trial. Requires: the corpora outlive it.
std::vector<train::TrainingPhase> phases_of(const plan::ResolvedTrial& trial,
                                            const Corpora& corpora);

/// The trial as a lane for the trainer. Throws std::invalid_argument if the job has another corpus
/// than the trial. Requires: the corpora and the run outlive it.
train::TrainingLane lane_of(TrialRun& run, const Corpora& corpora);

/// What networks are computed on, and how.
struct Computing {
  std::string device = "cpu";  // or "cuda:0"
  bool bfloat16 = false;       // products and activations; else float32
};

/// On `device`, in the precision of the job's trials; in float32 where they are only measured:
/// then this processor need not have what the device that trained them has.
Computing computing_of(const run::Job& job, const std::string& device);

/// A network for `lanes` trials with the trial's model. Its parameters are not initialised.
std::unique_ptr<train::Network> network_of(const plan::ResolvedTrial& trial, std::int64_t lanes,
                                           const Computing& computing);

}  // namespace ablate::worker
