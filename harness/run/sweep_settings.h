// The settings of a sweep, from the command line.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/run/job/rank_place.h"

namespace ablate::run {

/// Where and how the trials of a plan are run.
struct SweepSettings {
  std::filesystem::path results;     // the results folder
  std::filesystem::path worker;      // the worker program
  std::vector<int> cores;            // one for each worker, which is bound to it; or empty
  std::vector<std::string> devices;  // one for each worker: "cpu", "cpu", or "cuda:0", "cuda:1"
  std::vector<std::vector<RankPlace>>
      followers;  // for each worker, of the ranks that train with it; or empty: workers train alone
  std::size_t lanes = 1;           // maximum for one worker
  std::size_t measurers = 0;       // workers on the CPU that measure what the devices have trained,
                                   // while those train on; 0: who trains a trial measures it
  int threads = 1;                 // of each worker, which draws the batches of its lanes by them
  double checkpoint_seconds = 60;  // between two checkpoints of a trial
  std::vector<std::string> command;  // the arguments of the run, for the record
  bool retry_failed = false;         // run failed trials again instead of counting them as done
  bool fail_fast = false;            // the first trial that fails stops the others
  Json versions;                     // of this program, which its workers must state, too
  double grace_seconds = 120;        // from a signal to stop until a worker is killed
  double lease_seconds =
      0;  // over 0: other programs work in the folder, too; trials whose holder elsewhere has
          // given no sign of life for so long are taken over
  double silence_seconds = 300;  // of a worker, over 0, until it is noted

  /// The number of processes that train a bank together.
  std::size_t ranks() const { return followers.empty() ? 1 : 1 + followers[0].size(); }
};

}  // namespace ablate::run
