// Freezes the plan of tuning trials in their folder.

#pragma once

#include <filesystem>
#include <string>

#include "harness/plan/trial/plan.h"

namespace ablate::run {

/// Freezes a tuning plan. One that the folder holds is replaced if it tunes the same: its rates are
/// a beginning of this plan's, or the other way round. Otherwise throws std::invalid_argument with the
/// differences, unless `add` is set; journals of other trials stay in the folder. Requires: the folder's lock is held.
void freeze_tuning_plan(const std::filesystem::path& results, const plan::Plan& plan, bool add);

}  // namespace ablate::run
