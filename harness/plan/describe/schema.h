// The published shape of experiment files, made from the same rows that the reader checks against.

#pragma once

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// A JSON Schema (draft 7) of experiment files, for editors and for tests. It accepts what the
/// reader accepts; what needs more than one value to judge (names of arms, matching, paths) is the
/// reader's.
Json experiment_schema(const Catalog& catalog);

}  // namespace ablate::plan
