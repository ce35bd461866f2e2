// The rows of a phase of training.

#pragma once

#include <span>

#include "harness/contract/params.h"

namespace ablate::plan {

/// The rows of a phase; those whose rows a tag decides ("corpus", "objective") and "mixture" apart.
std::span<const Param> phase_params();

}  // namespace ablate::plan
