// The JSON Schema of the entries of "arms".

#pragma once

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// What an arm may set: an object {path: value} with a schema for every path, such as
/// "objective.rate", "train.budget.tokens" or a section. Where members of a section declare the
/// same parameter differently, a value of any of them is accepted. It refers to the definitions
/// "model", "train" and "objective".
Json settings_schema(const Catalog& catalog);

/// What a grid accepts for a path, whatever its values: a list or a formula.
Json candidates_schema();

/// The schema of an entry of "arms". It refers to the definitions "settings", which is `settings`,
/// and "candidates".
Json arm_schema(const Json& settings);

}  // namespace ablate::plan
