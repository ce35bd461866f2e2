// Records of trials that were measured on the way.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/reports/records.h"

namespace ablate::reports {

constexpr double kTokensAStep = 16000;  // of the small trials

/// Measures the excess of a trial after these steps on the way; the last step is the end of its
/// training, of 100 steps.
inline void measure(store::TrialRecord& trial, const std::vector<std::int64_t>& steps,
                    const std::function<double(std::int64_t)>& excess) {
  for (const std::int64_t step : steps) {
    const auto made = static_cast<double>(step);
    trial.on_the_way.push_back({{step, kTokensAStep * made, 100 * made, 1e6 * made, made},
                                {{"held_out.excess", excess(step)}, {"held_out.loss", 2}}});
  }
  trial.metrics["held_out.excess"] = excess(100);
  trial.ledger.update({{"targets", 10000}, {"flops", 1e8}, {"seconds", 100}});
}

/// The small records, in which clm is measured after 10, 20 and 40 steps, and mlm after `steps`. The
/// excess of clm is 1 - step / 100, that of mlm `mlm(step)`; both differ by as much between seeds.
inline store::Records with_dynamics(const std::vector<std::int64_t>& steps,
                                    const std::function<double(std::int64_t)>& mlm) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials) {
    const double seed = .01 * static_cast<double>(trial.seed);
    if (trial.arm == "clm")
      measure(trial, {10, 20, 40},
              [=](std::int64_t step) { return 1 - .01 * static_cast<double>(step) + seed; });
    else
      measure(trial, steps, [=](std::int64_t step) { return mlm(step) + seed; });
  }
  return records;
}

}  // namespace ablate::reports
