// Records of arms that sweep over a number.

#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "tests/reports/records.h"

namespace ablate::reports {

/// The small experiment with an arm NAME[rate=VALUE] for each value; the excess falls with it.
inline store::Records with_sweep(const std::string& name, const std::vector<double>& values) {
  store::Records records = small_records();
  for (const double value : values) {
    const std::string arm = fmt::format("{}[rate={}]", name, value);
    records.plan["arms"].push_back(plan_arm(arm, false, "masked_lm", value));
    records.plan["metrics"][arm] = small_metrics();
    for (std::int64_t seed = 1; seed <= 6; ++seed)
      records.trials.push_back(
          small_trial(arm, seed, .5 - .1 * value + .01 * static_cast<double>(seed)));
  }
  return records;
}

/// `count` arms of a sweep, of which one diverges and one never ends.
inline store::Records with_many_arms(int count) {
  std::vector<double> rates;
  for (int i = 1; i <= count; ++i) rates.push_back(i / (count + 1.0));
  store::Records records = with_sweep("mlm", rates);
  records.plan["analysis"]["smallest_effect"] = 0.02;
  store::TrialRecord& lost = trial_of(records, records.plan["arms"][5]["name"], 3);
  lost.outcome = "diverged";
  lost.message = "loss was nan";
  trial_of(records, records.plan["arms"][6]["name"], 2).outcome = "unfinished";
  return records;
}

}  // namespace ablate::reports
