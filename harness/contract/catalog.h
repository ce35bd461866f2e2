// Everything that an experiment file can name. The programs of experiments/ compose it and hand it
// down; harness/ itself names no objective, backbone or probe.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/contract/backbone.h"
#include "harness/contract/objective.h"
#include "harness/contract/probe.h"

namespace ablate {

/// What this machine's processor can do for a model.
struct Machine {
  std::string bfloat16_refusal;  // why products in bfloat16 are not for it; empty where they are
  std::string instructions;      // those that the kernels use here: "avx512_bf16", "avx2" ...
};

struct Catalog {
  std::span<const ObjectiveSpec> objectives;
  std::span<const BackboneSpec> backbones;
  std::span<const ProbeSpec> probes;

  /// The backbone of an experiment file that names none; empty: one must be named, unless there is
  /// only one.
  std::string_view default_backbone = {};

  Machine machine = {};

  /// The member of that name, or std::invalid_argument with the nearest one and the list of all.
  const ObjectiveSpec& objective(std::string_view name) const;
  const BackboneSpec& backbone(std::string_view name) const;
  const ProbeSpec& probe(std::string_view name) const;
};

/// What a probe yields of an arm whose objective has these settings: what it does of the objective
/// at its defaults, by which yardsticks go, and what is known at the arm's settings alone.
std::vector<Metric> metrics_of_arm(const ProbeSpec& probe, const ObjectiveSpec& objective,
                                   const Json& settings, bool language);

}  // namespace ablate
