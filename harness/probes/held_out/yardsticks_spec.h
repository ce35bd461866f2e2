// The settings of its objective at which an arm is scored, whatever it was trained with. Without
// LibTorch.

#pragma once

#include <string>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::probes {

/// A setting of its objective at which an arm is scored beside the one that held-out text is read
/// with.
struct Yardstick {
  std::string name;       // part of metric names: held_out.loss_NAME
  std::string label;      // what follows the quantity in labels
  std::string where;      // what follows the description of its metrics
  Params params;          // of the objective
  bool own = false;       // the arm's own, as in training; else of every arm of the objective
  bool of_heads = false;  // as CommonSetting::of_heads
};

/// The settings at which an arm is scored, too.
std::vector<Yardstick> yardsticks(const ObjectiveSpec& objective, const Params& params);

}  // namespace ablate::probes
