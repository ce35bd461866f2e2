// Which chunk a worker gets next, and where that worker works.

#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "harness/run/chunks.h"
#include "harness/run/sweep_settings.h"

namespace ablate::run {

/// Where a worker can work.
struct Place {
  std::string device;
  int core = -1;                          // that the worker is bound to; -1: any
  int threads = 1;                        // of the worker
  std::vector<RankPlace> followers = {};  // of the ranks that train with it
};

/// A chunk, and the place where it is worked on.
struct Assignment {
  Chunk chunk;
  Place place;
};

/// The chunks that wait, and the places that are idle. Without measurers, whoever trains a chunk
/// measures it. With measurers, the devices train, and what they have trained goes to the CPU.
class Queues {
 public:
  /// All chunks wait, and all places of the settings are idle.
  Queues(const Todo& todo, const SweepSettings& settings);

  /// The next chunk that has a place: what waits to be measured comes first. Empty where nothing
  /// waits, or no place is idle for it.
  std::optional<Assignment> next();

  /// The place of a worker that has ended, or could not be started, is idle again.
  void end(const Assignment& assignment);

  /// Trials that a worker has trained wait to be measured, in as many chunks as there are measurers.
  /// Requires: there are measurers, or no trials.
  void measure(const std::vector<plan::Trial>& trained);

  /// A trial whose worker crashed waits to be trained and measured once more, alone, by one worker:
  /// whatever crashed a measurer may not crash the device's.
  void retry(const plan::Trial& trial);

  /// A chunk that could not be begun waits again, before all others.
  void put_back(Chunk chunk);

 private:
  struct Queue {
    std::deque<Chunk> waiting;
    std::vector<Place> idle;
  };

  Queue training_, measuring_;
  std::size_t measurers_;
};

}  // namespace ablate::run
