// Converts plans to JSON and back: what `plan --json` prints and a results folder keeps.

#pragma once

#include <iosfwd>

#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// The complete plan, as documented for `plan --json`.
Json to_json(const Plan& plan);

/// Writes to_json(plan) as JSON text, indented by two spaces and in ASCII, without making a second
/// copy of the plan in memory.
void write_json(std::ostream& out, const Plan& plan);

/// The plan that was stored as `json`. Throws DamagedFile if it is not a plan.
Plan plan_from_json(const Json& json);

}  // namespace ablate::plan
