// Describes everything that experiment files can name, as JSON.

#pragma once

#include <string>

#include "harness/plan/describe/families.h"
#include "harness/plan/describe/find_named.h"

namespace ablate::plan {

/// {"objectives": [...], "backbones": [...], "probes": [...], "metrics": [...], "corpora": [...],
/// "train": [...], "phases": [...]}, or only what find_named() finds for this name: a family, a
/// member, or a list of settings, each with what it is "of". Empty `name`: everything. Throws as
/// find_named().
Json describe(const Families& families, const std::string& name, FieldWords words = {});

}  // namespace ablate::plan
