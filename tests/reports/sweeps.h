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

}  // namespace ablate::reports
