// Compares the plan that a results folder holds with a new one.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/plan/stored_plan.h"

namespace ablate::store {

/// What a new plan changes about the plan of a results folder.
struct PlanDifference {
  /// The differences as text, such as "train.batch: 16 -> 32 (all arms)", "arm 'x' is new" or
  /// "seeds 7, 8 are gone". Empty if the new experiment is that of the folder, whatever part of it
  /// either plan selects.
  std::vector<std::string> lines;

  /// Arm and seed of the folder's trials that the new experiment has with the same settings.
  std::set<std::pair<std::string, std::int64_t>> kept;

  /// Arms of the folder's trials that the new experiment does not have.
  std::set<std::string> gone;

  /// Whether the arm that is now the baseline has other settings than in the folder.
  bool baseline_changed = false;
};

/// The difference between the plan that a folder holds and a new one of the same name. The
/// question, labels, limits and probes are not compared: they change no training.
PlanDifference compare_plans(const StoredPlan& held, const StoredPlan& wanted);

}  // namespace ablate::store
