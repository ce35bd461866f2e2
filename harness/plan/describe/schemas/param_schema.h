// The JSON Schema of declared parameters.

#pragma once

#include <span>

#include "harness/contract/param.h"

namespace ablate::plan {

/// The JSON Schema (draft 7) of an object with these parameters. It accepts what resolve() accepts.
Json schema_of(std::span<const Param> declared);

}  // namespace ablate::plan
