// The rows of an experiment file's "train" section.

#pragma once

#include <span>

#include "harness/contract/params.h"
#include "harness/data/batches/packing.h"

namespace ablate::plan {

/// How trials are trained. `budget` is a section of which exactly one field is given.
std::span<const Param> train_params();

/// Raised when training's numbers change; part of every trial's id.
constexpr int kTrainVersion = 2;

/// The packing that a resolved "train" section names.
data::Packing packing_of(const Json& train);

}  // namespace ablate::plan
