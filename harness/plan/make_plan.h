// Makes the plan of an experiment file: everything that can be refused is refused here, before any
// training.

#pragma once

#include <filesystem>

#include "harness/contract/catalog.h"
#include "harness/plan/file/overrides.h"
#include "harness/plan/trial/plan.h"

namespace ablate::plan {

/// Reads, resolves and prices the experiment in `file`, changed by `overrides`. Prepares its
/// corpora in the cache. Throws ExperimentRefused with all faults that were found.
Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides);

}  // namespace ablate::plan
