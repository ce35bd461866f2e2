// What a lane has used, in every unit: for each phase, and in total.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/contract/realised.h"
#include "harness/train/lane/budget.h"
#include "harness/train/lane/training_lane.h"

namespace ablate::train {

/// What a phase has used, and what its objective did to the text.
struct PhaseUsage {
  const TrainingPhase& phase;
  const Usage& usage;
  const Realised& realised;
};

/// The ledger of a lane as it is recorded (see docs/tables-and-figures.md). `rows`: rows of a batch,
/// each of which reads one text. Requires: at least one phase.
Json ledger_of(const TrainingLane& lane, const std::vector<PhaseUsage>& phases, std::int64_t rows);

}  // namespace ablate::train
