// The published JSON Schema of experiment files, made from the rows that the reader checks against.

#pragma once

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// The JSON Schema (draft 7) of experiment files, for editors and tests. It accepts every file that
/// the reader accepts. Only the reader checks what depends on several values: names of arms,
/// matching and paths.
Json experiment_schema(const Catalog& catalog);

}  // namespace ablate::plan
