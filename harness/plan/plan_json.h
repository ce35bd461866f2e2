// Plans as JSON and back: what `plan --json` prints, and what a results folder keeps.

#pragma once

#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// All of the plan, by the contract of `plan --json`.
Json to_json(const Plan& plan);

/// Throws DamagedFile where `json` is no plan.
Plan plan_from_json(const Json& json);

}  // namespace ablate::plan
