// The versions of everything that decides numbers, and the ids that they are part of. The planner
// computes them, and a worker computes them again before it trains: built from another source, it
// would store other numbers under the planned ids.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/trial/trial.h"

namespace ablate::plan {

/// The versions of what a trial names.
struct NamedVersions {
  Json objective = 0;  // see version_of()
  int backbone = 0;
  std::vector<Json> phase_objectives;  // of the phases that it names, in order
};

/// The version of an objective: a number or, where what it is made of has a version above 1, an object with
/// its own and those. `section`: {"type", every parameter}.
Json version_of(const ObjectiveSpec& objective, const Json& section);

/// The versions of everything that decides a trial's numbers, its "semantics". `config`: its
/// configuration, see Trial::config; "semantics" is not read.
Json versions_of(const Json& config, const NamedVersions& named);

/// The versions of everything that this program can train and measure with: {"objective": {name:
/// version}, "backbone", "probe", "train", ...}.
Json versions_of(const Catalog& catalog);

/// The first difference between two tables of versions, in words: "the version of objective
/// masked_lm: planned 3, this worker has 2". Empty where there is none.
std::string version_difference(const Json& planned, const Json& worker);

/// The first 16 hexadecimal digits of the SHA-256 of a configuration's canonical text.
std::string id_of(const Json& config);

/// The ids of trials that differ in their seeds alone. Made once for all of them: writing the rest of a
/// configuration as text takes longer than hashing it.
class SeedIds {
 public:
  explicit SeedIds(const Json& config);  // its "seed", if any, is not read

  /// id_of() the configuration with this seed.
  std::string of(std::int64_t seed) const;

 private:
  std::string before_, after_;  // canonical text of the members before and after "seed"
};

/// The ids of a probe's measurements of trials: of what is trained, or of what it was after `step`.
class MeasurementIds {
 public:
  /// `section`: the probe's settings.
  MeasurementIds(const Json& section, const ProbeSpec& spec,
                 std::optional<std::int64_t> step = std::nullopt);

  /// The id of its measurement of the trial with id `trial`.
  std::string of(const std::string& trial) const;

 private:
  std::string before_;  // canonical text of what is hashed before the trial
};

/// Throws std::invalid_argument where the trial was planned with other versions than those of this
/// catalogue, or names what it does not have.
void check_versions(const Trial& trial, const Catalog& catalog);

}  // namespace ablate::plan
