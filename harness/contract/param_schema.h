// The JSON Schema of declared parameters.

#pragma once

#include <span>

#include "harness/contract/param.h"

namespace ablate {

/// The rows as a JSON Schema (draft 7) object that accepts exactly what `resolve` does.
Json schema_of(std::span<const Param> declared);

}  // namespace ablate
