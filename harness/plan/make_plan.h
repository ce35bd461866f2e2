// An experiment file, resolved and priced: every refusal happens here, before any training.

#pragma once

#include <filesystem>

#include "harness/contract/catalog.h"
#include "harness/plan/file/overrides.h"
#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// Plans the experiment of `file`. Throws ExperimentRefused with every fault of it.
Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides);

}  // namespace ablate::plan
