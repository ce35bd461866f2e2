// Reads from a results folder what its tuning trials have found.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "harness/plan/trial/plan.h"
#include "harness/plan/tuning/tuned.h"

namespace ablate::run {

/// The folder of the tuning trials of an experiment: a results folder within its own.
std::filesystem::path tuning_folder(const std::filesystem::path& results);

/// What every arm found in the trials of a tuning plan, without a choice. Computed from the journals
/// alone, so that the choice is the same however often the trials were interrupted. None if a trial
/// is not finished, or failed for a reason other than divergence. Throws DamagedFile where a journal
/// does not verify.
std::optional<std::vector<plan::TunedArm>> tried_by(const plan::Plan& plan,
                                                    const std::filesystem::path& results);

}  // namespace ablate::run
