// Cutting what is left of a plan into work for one worker each.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/run/sweep_settings.h"

namespace ablate::run {

/// Trials of one bank, for one worker.
struct Chunk {
  std::vector<plan::Trial> trials;
  bool retry = false;       // from a bank that crashed; a second crash makes its trials failed
  bool cut_before = false;  // its trials have checkpoints of one bank and resume together
  Json lane_choice;         // how the number of lanes was chosen; null where it was given
  std::size_t trained = 0;  // how many of its trials are trained and lack only measurements
};

/// What is left to do of a plan.
struct Todo {
  std::vector<Chunk> chunks;      // in the plan's order
  std::vector<std::string> done;  // ids of the trials that need nothing more
};

/// Cuts each bank, in order, into chunks of at most `settings.lanes` trials, without the trials
/// that are complete. Trials that were interrupted together resume together, whatever `lanes` is
/// now. Throws DamagedFile for a journal that does not verify.
Todo what_is_left(const plan::Plan& plan, const SweepSettings& settings);

/// Cuts the chunks again, into as many lanes as `choose` returns under "lanes" (at least 1). It is
/// called once for each chunk of more than one trial that no earlier run cut; what it returns
/// becomes the lane_choice of the new chunks.
Todo cut(Todo todo, const std::function<Json(const Chunk&)>& choose);

}  // namespace ablate::run
