// Claims about the small experiment, and records with planted effects.

#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "reports/claims/verdicts.h"
#include "tests/reports/sweeps.h"

namespace ablate::reports {

/// A claim about two arms of the small experiment, in its excess.
inline Claim claim_of_arms(Expectation expected, double margin = 0) {
  return {.id = "of-arms",
          .sentence = "mlm has the higher excess",
          .source = "Somebody 2020, section 3",
          .experiment = "small",
          .metric = "held_out.excess",
          .expected = expected,
          .arm = "mlm",
          .baseline = "clm",
          .margin = margin,
          .scale = "There: large."};
}

/// A claim about the sweep that with_planted() adds.
inline Claim claim_of_sweep(Expectation expected) {
  Claim claim = claim_of_arms(expected);
  claim.id = "of-sweep";
  claim.arm = claim.baseline = "";
  claim.family = "swept";
  claim.along = "objective.rate";
  return claim;
}

/// The small experiment with arms swept[rate=0.1], swept[rate=0.2] ... of these mean excesses.
/// Seeds differ by a hundredth, and by up to two thousandths otherwise in each arm.
inline store::Records with_planted(const std::vector<double>& excesses) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < excesses.size(); ++i)
    rates.push_back(static_cast<double>(i + 1) / 10);
  store::Records records = with_sweep("swept", rates);
  for (std::size_t i = 0; i < excesses.size(); ++i)
    for (std::int64_t seed = 1; seed <= 6; ++seed) {
      const double noise =
          0.002 * std::sin(static_cast<double>(13 * seed + 78 * static_cast<int>(i)));
      trial_of(records, fmt::format("swept[rate={}]", rates[i]), seed).metrics["held_out.excess"] =
          excesses[i] + 0.01 * static_cast<double>(seed) + noise;
    }
  return records;
}

/// The judgement of one claim on one store.
inline JudgedClaim judged_on(const Claim& claim, const store::Records& records) {
  static ClaimSet set;  // the result points into it
  set = {{claim}, {}};
  const Analysis analysis = analyse(records);
  const ClaimStore store{"results/small", &analysis};
  return judge_claims(set, {&store, 1}, "experiments").at(0);
}

inline ClaimVerdict verdict_of(const Claim& claim, const store::Records& records) {
  return judged_on(claim, records).verdict;
}

}  // namespace ablate::reports
