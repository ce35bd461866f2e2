// The list of all objectives.

#pragma once

#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// Every objective, in alphabetical order.
std::span<const ObjectiveSpec> objective_specs();

}  // namespace ablate::objectives
