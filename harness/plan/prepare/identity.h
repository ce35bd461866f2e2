// What the ids of trials and measurements are computed from: everything that decides them.

#pragma once

#include "harness/plan/prepare/prepared.h"
#include "harness/plan/read/experiment.h"

namespace ablate::plan {

/// The configuration of a trial of the arm at `index`, see Trial::config. It contains no names,
/// questions or paths: corpora and the weights that the arm starts from are identified by hashes of
/// their content.
Json trial_config(const Experiment& experiment, const Prepared& prepared, std::size_t index,
                  std::int64_t seed);

/// The probes of the trial with id `trial`, as Trial::probes. `steps`: after which each measures on
/// the way.
Json identified_probes(const std::vector<PlannedProbe>& probes, const std::string& trial,
                       const std::vector<std::vector<std::int64_t>>& steps);

}  // namespace ablate::plan
