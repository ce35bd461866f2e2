#pragma once

#include <span>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// Every objective, in alphabetical order.
std::span<const ObjectiveSpec> objectives();

}  // namespace ablate::objectives
