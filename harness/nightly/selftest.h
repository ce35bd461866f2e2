// Tests the gate's rules on simulated nights: what a gate is worth is how rarely it cries wolf, and
// how surely it barks.

#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::nightly {

/// A stream of simulated nights, and what the rules made of it. Where a night has several series, a
/// night counts as a regression, an improvement or both if any of them does.
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
/// unit; equal models, worse models, alone and twenty in a night. Equal programs raise next to no
/// alarm, which leaves nothing to weigh one direction against the other by. So the rank test is
/// counted without the other conditions, too: as often as its level says, and as often faster as
/// slower. Deterministic for a seed. Requires: nights >= 100.
std::vector<StreamResult> selftest(std::int64_t nights, std::uint64_t seed = 1);

}  // namespace ablate::nightly
