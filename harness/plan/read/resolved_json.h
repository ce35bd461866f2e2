// The experiment as a plan records it.

#pragma once

#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The experiment after "extends", overrides and defaults, as stored in plans and records.
Json resolved_json(const Experiment& experiment);

}  // namespace ablate::plan
