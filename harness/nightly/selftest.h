// Tests the gate's rules on simulated nights: what a gate is worth is how rarely it cries wolf, and
// how surely it barks.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::nightly {

/// A stream of simulated nights of one series, and what the rules made of it.
struct StreamResult {
  std::string stream;  // what was simulated
  std::int64_t nights = 0;
  std::int64_t regressions = 0, improvements = 0, inconclusive = 0, passes = 0, changed = 0,
               no_data = 0;
  std::string expected;  // in words
  bool holds = false;    // whether it was as expected, within Monte-Carlo error
};

/// Simulates `nights` nights of each stream, with the rules and the numbers of repetitions and seeds
/// that nights have: equal programs whose times are noisy, have outliers, share a night's mood or
/// drift; programs that are slower or faster by 3 % and 10 %, for good or for a night; nights whose
/// machine is replaced, whose series are missing or new, whose times are no numbers or in another
/// unit; equal models, worse models. Deterministic for a seed. Requires: nights >= 100.
std::vector<StreamResult> selftest(std::int64_t nights, std::uint64_t seed = 1);

}  // namespace ablate::nightly
