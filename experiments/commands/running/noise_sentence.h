// What an earlier measurement of noise says about a plan.

#pragma once

#include <string>

#include "harness/plan/trial/plan.h"

namespace ablate::commands {

/// The smallest difference that a plan's seeds find, in the primary metric's unit, by the spread that
/// the trials of a results folder have. Throws std::invalid_argument where these have other settings,
/// or too few values.
std::string noise_sentence(const plan::Plan& plan, const std::string& results);

}  // namespace ablate::commands
