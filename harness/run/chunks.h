// Divides the unfinished trials of a plan into chunks, each for one worker.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/run/job/protocol.h"
#include "harness/run/sweep_settings.h"

namespace ablate::run {

/// Trials of one bank, for one worker.
struct Chunk {
  std::vector<plan::Trial> trials;
  bool retry = false;       // its bank has crashed before; a second crash makes its trials failed
  bool cut_before = false;  // its trials have checkpoints of one bank and resume together
  Json lane_choice;         // how the number of lanes was chosen; null where it was given
  std::size_t trained = 0;  // number of its trials that are trained and lack only measurements
  Task task = Task::all;    // what its worker does
};

/// The unfinished and the finished trials of a plan.
struct Todo {
  std::vector<Chunk> chunks;      // in the plan's order
  std::vector<std::string> done;  // ids of the finished trials
};

/// Divides each bank, in order, into chunks of at most `settings.lanes` trials, without the trials
/// that are finished. Trials that were interrupted together resume together, whatever `lanes` is
/// now. Throws DamagedFile where a journal does not verify.
Todo what_is_left(const plan::Plan& plan, const SweepSettings& settings);

/// Divides the chunks further, into as many lanes as `choose` returns under "lanes" (at least 1).
/// `choose` is called once for each chunk of more than one trial that was not divided by an earlier
/// run; its result becomes the lane_choice of the new chunks.
Todo cut(Todo todo, const std::function<Json(const Chunk&)>& choose);

}  // namespace ablate::run
