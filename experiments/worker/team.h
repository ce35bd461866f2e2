// Training one bank by several processes: a worker starts the others, and they follow it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/worker/trial_run.h"
#include "harness/base/posix/spawn.h"
#include "harness/run/job/protocol.h"
#include "harness/train/ranks/ranks.h"

namespace ablate::worker {

/// A worker and its followers, each of which is one rank. They are started when they are first needed, and
/// end with this object at the latest.
class Team {
 public:
  /// Requires: the job outlives it.
  explicit Team(const run::Job& job) : job_(job) {}
  ~Team() { disband(); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Tells the followers to train these trials from this step. Returns the ranks, for the training settings of
  /// the worker; null where the job has no followers. Throws train::RankLost where one does not come.
  train::Ranks* assemble(const std::vector<TrialRun*>& runs, std::int64_t from);

  /// Tells the followers that nothing is left to train, and waits for their end.
  void dismiss();

  /// Kills the followers: what they were told cannot be finished.
  void disband();

  /// Which of the followers end by themselves within two seconds, and how: "rank 1 ended by signal 9 (Killed)"; else empty.
  std::string losses();

 private:
  struct Follower {
    std::string name;                       // for messages
    std::unique_ptr<ChildProcess> process;  // one rank, or srun with all of them
  };

  void start();
  std::string ended();  // as losses(), of those that have ended by now

  const run::Job& job_;
  std::vector<Follower> followers_;
  std::unique_ptr<train::Ranks> ranks_;
};

/// The rank that `text`, the argument of --follow, names: a number, or "slurm": that of Slurm's task. Throws
/// std::invalid_argument for anything else.
std::int64_t rank_of(const std::string& text);

/// The job with the place of one of its followers. Throws std::invalid_argument where it has none of that rank.
run::Job job_of_rank(run::Job job, std::int64_t rank);

/// Takes part in what the first rank trains, as rank number `rank` of the job, until it says that nothing is
/// left. Returns the exit status.
int follow(const run::Job& job, std::int64_t rank, const std::string& device);

}  // namespace ablate::worker
