// Trains a bank: each lane is a trial, and all lanes are trained together.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/train/lane/lane.h"
#include "harness/train/network/network.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::train {

/// The progress of one lane after a step.
struct TrainingProgress {
  const plan::Trial* trial = nullptr;
  std::int64_t step = 0;   // steps made
  std::int64_t steps = 0;  // in total; 0 where not known beforehand
  double progress = 0;     // fraction of the budget, in [0, 1]
  std::optional<double> loss =
      std::nullopt;  // of this step, in nats per target; none where it scored no target
  double tokens_per_second = 0;
};

/// How the training of one lane ended.
struct TrainingResult {
  LaneEnd end = LaneEnd::stopped;
  std::string message;  // why it diverged, or how its objective deviated; else empty
};

/// Settings of the training loop. Each of the functions may be empty.
struct TrainingSettings {
  std::string device = "cpu";
  int threads = 1;                 // that draw the batches of the lanes, at least 1
  std::int64_t read_every = 16;    // steps between readings of losses; the CPU reads every step
  double checkpoint_seconds = 60;  // between checkpoints
  std::function<bool()> stop;      // called after every step, with ranks before it: whether to stop
  std::function<void(const TrainingProgress&)> progress;  // called for every lane and step
  std::function<void(const std::string&)> note;           // a message for the log
  std::function<void(std::size_t lane, const TrainingResult&)> ended;  // called when a lane ends
  Ranks* ranks = nullptr;  // that train the same lanes together; null: this process alone
};

/// Trains `lanes` as one bank, from their checkpoints of step `from`, or from the start where it is
/// 0. Returns how each lane ended.
///
/// Each lane's journal receives the points of its curve, its checkpoints, its snapshots and, when it
/// ends, its ledger; a completed lane also stores its final weights. Snapshots change nothing else,
/// and the seconds that it takes to write them are not counted. A lane that has diverged or spent its
/// budget is no longer updated, and the others continue. On a device it may be updated until its
/// losses are read; the updates after its end are discarded. On the CPU a lane's result does not
/// depend on the other lanes, nor on when it was stopped and resumed.
/// Requires: a network with one lane for each of `lanes`; all trials have the same batch and
/// context; `from` is 0 or a step that resumable_steps() returns for every lane. Throws DamagedFile
/// where a checkpoint does not verify, MachineFault or std::filesystem::filesystem_error where a
/// file cannot be written. A checkpoint at the end of a period may be missing, which is noted.
///
/// With ranks, each computes its part of the rows of every step, and all make the same updates. The first one
/// reads checkpoints and writes all that is written, decides when to stop, and its clock counts for budgets in
/// seconds; the lanes of the others have neither journal nor folder. Throws RankLost where a rank is lost.
/// Requires: no rank without a row, and no head that couples rows.
std::vector<TrainingResult> train(Network& network, std::vector<TrainingLane> lanes,
                                  std::int64_t from, const TrainingSettings& settings);

}  // namespace ablate::train
