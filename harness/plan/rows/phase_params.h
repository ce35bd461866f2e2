// The parameters of a phase of training.

#pragma once

#include <span>

#include "harness/contract/params.h"

namespace ablate::plan {

/// The rows of a phase, except "corpus", "objective" and "mixture", whose parameters depend on a
/// tag.
std::span<const Param> phase_params();

}  // namespace ablate::plan
