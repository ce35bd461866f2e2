// Trains a bank: every lane its own trial, all lanes one model.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/train/lane/lane.h"
#include "harness/train/network/network.h"

namespace ablate::train {

struct TrainingProgress {
  const plan::Trial* trial = nullptr;
  std::int64_t step = 0;
  std::int64_t steps = 0;  // in all; 0 where only the text or the clock knows
  double share = 0;        // of the budget
  double loss = 0;         // of this step, nats per target
  double tokens_per_second = 0;
};

struct TrainingResult {
  LaneEnd end = LaneEnd::stopped;
  std::string message;  // why it diverged, or what its objective did
};

struct TrainingSettings {
  std::string device = "cpu";
  std::int64_t read_every = 16;    // steps between readings of losses, elsewhere than on the CPU
  double checkpoint_seconds = 60;  // between checkpoints
  std::function<bool()> stop;      // asked after every step; may be empty
  std::function<void(const TrainingProgress&)> progress;  // told of every step; may be empty
  std::function<void(const std::string&)> note;           // for whoever reads the log; may be empty
  std::function<void(std::size_t lane, const TrainingResult&)>
      ended;  // as it happens; may be empty
};

/// Trains `lanes` as one bank, from the checkpoints that all of them have at `from`, or anew at 0.
///
/// Each lane leaves in its journal the points of its curve, its checkpoints and, where it ends, its
/// ledger; a completed one leaves its final weights. A lane that diverges or has spent its budget
/// is no longer updated, and the others go on as if alone; elsewhere than on the CPU it may be
/// updated until its losses are read, and what came after its end is forgotten. On the CPU what a
/// lane becomes does not depend on its neighbours, nor on when it was stopped and resumed.
/// Requires: a network of as many lanes, all trials of equal batch and context; in step `from`, as
/// resumable_steps lists them. Throws DamagedFile for a checkpoint that does not verify.
std::vector<TrainingResult> train(Network& network, std::vector<TrainingLane> lanes,
                                  std::int64_t from, const TrainingSettings& settings);

}  // namespace ablate::train
