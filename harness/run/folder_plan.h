// The plan that a results folder keeps when something is run in it.

#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "harness/plan/file/overrides.h"
#include "harness/plan/trial/plan.h"

namespace ablate::run {

/// The plan for a results folder.
struct FolderPlan {
  Json plan;                // to freeze
  std::size_t removed = 0;  // trials of the folder's previous plan that are not in it
};

/// Makes the plan again, with trials that stay in it whatever is selected.
using PlanWith = std::function<plan::Plan(const plan::TrialPlaces& held)>;

/// The plan that a folder has after `plan` is run in it: that of all its trials, of which a run
/// with --only does a part. Throws std::invalid_argument with the differences if the folder holds
/// trials of other settings, arms, seeds or another analysis, unless `add` is set, and if either has
/// looks and check_looks() refuses them. Then trials of other settings leave the plan. Arms that the experiment no longer has stay in it, unless the text
/// or the settings of the baseline have changed, which they would be compared with.
FolderPlan folder_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add,
                       const PlanWith& plan_with);

}  // namespace ablate::run
