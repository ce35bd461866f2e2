// What tuning has found: the record that the plan of the result keeps.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/metrics/metric.h"
#include "harness/plan/tuning/choice.h"

namespace ablate::plan {

/// What one arm has tried, what it spent, and what was chosen for it.
struct TunedArm {
  std::string arm;
  std::vector<TriedRate> tried;      // by rate, ascending
  std::optional<RateChoice> choice;  // none: trials diverged at every rate
  std::int64_t trials = 0;
  std::int64_t diverged = 0;  // of these trials
  double flops = 0;           // that these trials spent, those that diverged among them
  // Mean training loss at the first point of a curve that has one, nats per target.
  std::optional<double> initial_loss;
};

/// The learning rates of all arms, and what they were chosen from.
struct Tuned {
  Json criterion;                   // the metric that chose, as in Plan::metrics
  Better better = Better::lower;    // of its values
  std::vector<double> rates;        // tried by every arm, ascending
  std::vector<std::int64_t> seeds;  // with which every arm tried every rate
  std::int64_t extensions = 0;      // how often the rates were extended
  std::vector<TunedArm> arms;       // in the experiment's order
  double common = 0;                // the baseline's rate

  /// What was found for the arm. Throws std::logic_error if there is none of this name.
  const TunedArm& arm(const std::string& name) const;
};

/// {"stage": "result", "criterion": {"name", "unit", "better", ...}, "rates", "seeds", "extensions",
/// "common_rate", "flops", "arms": [{"arm", "rate", "best_rate", "edge": "", "low" or "high",
/// "trials", "diverged", "flops", "initial_loss", "tried": [{"rate", "values"}]}]}. The value of a
/// trial that diverged is null, and so is an initial loss that there is not.
Json to_json(const Tuned& tuned);

}  // namespace ablate::plan
