// The rows of an experiment file's "train" section.

#pragma once

#include <span>

#include "harness/contract/params.h"

namespace ablate::plan {

/// How trials are trained. `budget` is a section of which exactly one field is given.
std::span<const Param> train_params();

/// Raised when training's numbers change; part of every trial's id.
constexpr int kTrainVersion = 2;

}  // namespace ablate::plan
