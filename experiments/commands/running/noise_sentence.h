// What an earlier measurement of noise says about a plan.

#pragma once

#include <string>

#include "harness/plan/trial/plan.h"

namespace ablate::commands {

/// Where `ablate noise` keeps an experiment's noise unless --results says otherwise, and where `ablate
/// plan` looks for it: "noise/NAME" below the current folder.
std::string noise_folder(const plan::Plan& plan);

/// The smallest difference that a plan's seeds find, in the primary metric's unit, by the spread that
/// the trials of a results folder have. Throws std::invalid_argument where these have other settings,
/// or too few values.
std::string noise_sentence(const plan::Plan& plan, const std::string& results);

/// The same by noise_folder(), and where the numbers are from. Of a folder that cannot be used it says
/// why; empty where there is none.
std::string stored_noise_sentence(const plan::Plan& plan);

}  // namespace ablate::commands
