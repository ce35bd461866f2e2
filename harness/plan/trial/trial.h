// A trial: one training run, as it is given to a worker and as records refer to it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/backbone.h"
#include "harness/plan/trial/trial_config.h"
#include "harness/plan/trial/trial_probes.h"

namespace ablate::plan {

/// The planned size of one phase.
struct PhaseSize {
  std::int64_t steps = 0;
  RowShape shape;  // positions of a row

  bool operator==(const PhaseSize&) const = default;
};

/// One arm with one seed.
struct Trial {
  /// The first 16 hexadecimal digits of the SHA-256 of `config`. Trials with the same id are the
  /// same.
  std::string id;
  std::string arm;
  std::int64_t seed = 0;

  /// Every default filled in: {"corpus": {"kind", ..., "hash"}, "model": {"backbone", ...},
  /// "objective": {"type", ...}, "train": {...}, "seed", "vocabulary": {"ordinary", "sentinels"},
  /// "semantics": {...}}. Nothing else decides what is trained. If the arm has named phases,
  /// "train" has {"phases": [{"name", "objective", "members", "budget", ...}]} instead of a budget;
  /// phases_of() reads both forms.
  TrialConfig config;

  /// The probes: [{"id", "type", ...}]. "id" is the id of the measurement: a hash of the trial's
  /// id, the probe's settings and its version. A probe that measures on the way, too, has
  /// "at": [{"step", "id"}], by step; there the step is part of the hash.
  TrialProbes probes;

  ParameterCount parameters;
  double flops = 0;               // of training, as planned
  double measuring_flops = 0;     // of its probes: an estimate, for that of the time
  std::int64_t steps = 0;         // 0: the budget is in seconds
  std::int64_t text_tokens = 0;   // as planned
  std::int64_t state_bytes = 0;   // of a row at inference; 0: it does not continue texts
  RowShape shape;                 // positions of the longest row of all phases
  std::vector<PhaseSize> phases;  // empty if the arm has no named phases
};

/// Sets `json` to the trial as journals and jobs have it. Plans store it as Setups do.
void to_json(Json& json, const Trial& trial);

/// Reads what to_json() stored. Throws Json::exception if it has another form.
void from_json(const Json& json, Trial& trial);

/// Trials that may be trained as one batched model: they have the same shapes and steps, and about
/// the same number of targets per step.
using Bank = std::vector<std::string>;  // trial ids, in order

}  // namespace ablate::plan
