// The heads of a network that is trained in phases: all that a phase asks for.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/contract/objective.h"

namespace ablate::plan {

/// Makes the needs of objectives that train one network ask for the heads of all of them, in the
/// order in which they come up: each keeps its own coefficients, and those that it did not ask for are
/// not scored. Heads of one kind and parameters are one head. Returns why there is no such network;
/// empty if there is. Throws std::logic_error for needs that are not hosted.
std::string join_heads(std::span<Needs* const> needs);

}  // namespace ablate::plan
