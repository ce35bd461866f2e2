// The looks that a results folder has begun: they may be gone on with, but not changed.

#pragma once

#include <filesystem>
#include <optional>

#include "harness/store/plan/stored_plan.h"

namespace ablate::run {

/// The looks that a folder's plan keeps; none where it has no plan, or one without looks. Throws
/// DamagedFile where they cannot be read.
std::optional<store::PlannedLooks> held_looks(const std::filesystem::path& results);

/// Throws std::invalid_argument unless a folder's plan may become `wanted`, as far as looks go. A test
/// holds its level only if its looks are those that were planned before the first of them: they are
/// never left or changed, and a folder that has seeds beyond the first look begins none.
void check_looks(const std::filesystem::path& results, const store::StoredPlan& held,
                 const store::StoredPlan& wanted);

}  // namespace ablate::run
