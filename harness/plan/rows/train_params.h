// The parameters of an experiment file's section "train".

#pragma once

#include <span>

#include "harness/contract/params.h"

namespace ablate::plan {

/// The rows of "train". "budget" is a section in which exactly one field must be given.
std::span<const Param> train_params();

/// Raised when the numbers of training change; part of every trial's id.
constexpr int kTrainVersion = 2;

}  // namespace ablate::plan
