// What sets the cost of a step: the key under which speeds and numbers of lanes are remembered.

#pragma once

#include "harness/base/json/json.h"

namespace ablate::plan {

/// Everything in a trial's configuration that decides how long a step takes: objective, model,
/// vocabulary and some settings of training. Used as a key for cached measurements of speed.
Json step_kind(const Json& trial_config);

}  // namespace ablate::plan
