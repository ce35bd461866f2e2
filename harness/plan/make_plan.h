// Makes the plan of an experiment file: everything that can be refused is refused here, before any
// training.

#pragma once

#include <filesystem>

#include "harness/contract/catalog.h"
#include "harness/plan/file/overrides.h"
#include "harness/plan/trial/plan.h"
#include "harness/plan/tuning/tuned.h"

namespace ablate::plan {

/// Reads, resolves and prices the experiment in `file`, changed by `overrides`. Prepares its
/// corpora in the cache. Throws ExperimentRefused with all faults that were found. With "tuning" the
/// plan has no trials, since their learning rates are not chosen yet: see Plan::tuning.
Plan make_plan(const Catalog& catalog, const std::filesystem::path& file,
               const Overrides& overrides);

/// The plan of the trials that try `rates` for every arm; no rates: those of the file. Throws as
/// make_plan(). Requires: the file has "tuning".
Plan make_tuning_plan(const Catalog& catalog, const std::filesystem::path& file,
                      const Overrides& overrides, const std::vector<double>& rates = {});

/// The plan of the result, at the rates that were chosen. A trial has the id that it has in an
/// experiment without "tuning" whose arm has this rate. Throws as make_plan(). Requires: the file
/// has "tuning", and every arm a choice.
Plan make_tuned_plan(const Catalog& catalog, const std::filesystem::path& file,
                     const Overrides& overrides, const Tuned& tuned);

}  // namespace ablate::plan
