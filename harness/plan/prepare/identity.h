// What the ids of trials and measurements are computed from: everything that decides them.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/plan/prepare/prepared.h"
#include "harness/plan/read/experiment.h"
#include "harness/plan/resolve/versions.h"
#include "harness/plan/trial/trial_probes.h"

namespace ablate::plan {

/// The configuration of a trial of the arm at `index`, see Trial::config. It contains no names,
/// questions or paths: corpora and the weights that the arm starts from are identified by hashes of
/// their content.
Json trial_config(const Experiment& experiment, const Prepared& prepared, std::size_t index,
                  std::int64_t seed);

/// The probes of an arm's trials.
class ProbesOfArm {
 public:
  /// `steps`: after which each measures on the way.
  ProbesOfArm(const std::vector<PlannedProbe>& probes,
              const std::vector<std::vector<std::int64_t>>& steps);

  /// Those of the trial with id `trial`.
  TrialProbes of(const std::string& trial) const;

 private:
  std::shared_ptr<const Json> settings_;
  std::vector<MeasurementIds> ids_;  // in the order of TrialProbes::ids()
};

}  // namespace ablate::plan
