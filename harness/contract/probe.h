// What a probe is, to those who plan and report: its parameters and its metrics. Measuring needs
// LibTorch and lives in harness/probes.

#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/metric.h"
#include "harness/contract/objective.h"
#include "harness/contract/param.h"

namespace ablate {

struct ProbeSpec {
  std::string_view name;  // as written in experiment files
  std::string_view summary;
  std::vector<Param> params;

  /// The metrics that it yields for an arm of `objective`; `language`: on the built-in language, where
  /// optimum, Bayes accuracy and exact log-probabilities exist.
  std::vector<Metric> (*metrics)(const ObjectiveSpec& objective, bool language);

  /// Refuses, with a remedy, what cannot be measured; returns nothing where all is well.
  std::string (*refusal)(const Params& params, const ObjectiveSpec& objective, bool language);

  int semantics = 1;  // raised when its numbers change; part of every measurement's id
};

}  // namespace ablate
