// One training run, resolved: what a worker is told, and what a record is a record of.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/backbone.h"

namespace ablate::plan {

/// What was planned of one phase.
struct PhaseSize {
  std::int64_t steps = 0;
  RowShape shape;  // positions of a row
};

struct Trial {
  /// SHA-256 of `config`, cut to 16 hexadecimal digits: same id, same thing.
  std::string id;
  std::string arm;
  std::int64_t seed = 0;

  /// Every default filled in: {"corpus": {"kind", ..., "hash"}, "model": {"backbone", ...},
  /// "objective": {"type", ...}, "train": {...}, "seed", "vocabulary": {"ordinary", "sentinels"},
  /// "semantics": {...}}. Nothing else decides what is trained. An arm that has phases has them
  /// under "train" ({"phases": [{"name", "objective", "members", "budget", ...}]}), in place of its
  /// budget; phases_of() reads both.
  Json config;

  /// What is measured of it: [{"id", "type", ...}]; a measurement's id is the hash of the trial's
  /// id, the probe's settings and its semantics.
  Json probes;

  ParameterCount parameters;
  double flops = 0;        // of training, as planned
  std::int64_t steps = 0;  // 0: the budget is in seconds, or in targets that the text decides
  std::int64_t text_tokens = 0;
  RowShape shape;                 // positions of a row: of the longest, where phases differ
  std::vector<PhaseSize> phases;  // empty where the arm names none
};

Json to_json(const Trial& trial);
Trial trial_from_json(const Json& json);

/// Trials that may be trained as one batched model: same shapes, steps and scored capacity.
using Bank = std::vector<std::string>;  // trial ids, in order

}  // namespace ablate::plan
