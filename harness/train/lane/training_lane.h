// A trial as the trainer receives it.

#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/realised.h"
#include "harness/data/batches/batches.h"
#include "harness/plan/trial/trial.h"
#include "harness/store/journal/journal.h"

namespace ablate::train {

/// One phase of a trial's training: its texts, their cost and its settings.
struct TrainingPhase {
  std::function<data::SampledBatch(std::int64_t step)> draw;  // pure; counts from the phase
  std::int64_t texts = 0;                                     // in one epoch
  FlopCount cost;
  std::vector<Intended> intended = {};         // what its objective states, on average
  std::string name = {};                       // empty where the trial names no phases
  Json objective = {};                         // as the ledger records it
  std::int64_t steps = 0;                      // as planned; 0: the budget ends it
  Params train = {};                           // the phase's training settings
  std::vector<HeadNeed> heads = {HeadNeed{}};  // of the network, with the phase's coefficients
};

/// A trial to be trained. What it points to outlives training.
struct TrainingLane {
  const plan::Trial* trial = nullptr;
  store::Journal* journal = nullptr;      // null: another rank writes it
  std::filesystem::path folder;           // of its checkpoints and weights
  std::filesystem::path start;            // weights to start from; empty: initial ones
  std::vector<TrainingPhase> phases;      // at least one
  std::set<std::int64_t> snapshots = {};  // the steps after which its weights are kept
};

}  // namespace ablate::train
