// Checks priced arms: whether they spend the same, and whether anything would fail only after hours
// of training.

#pragma once

#include "harness/plan/price/price.h"
#include "harness/store/plan/plan_parts.h"

namespace ablate::plan {

/// One entry for each count that arms must agree in. Adds a fault with a table of the arms and a
/// remedy if a spread exceeds the tolerance.
std::vector<store::MatchedCount> audit_match(const Experiment& experiment,
                                             const std::vector<Price>& prices, Faults& faults);

/// Adds a fault for each arm whose network has another number of parameters than the weights that
/// it starts from. Other heads and other row lengths change that number.
void check_starts(const Experiment& experiment, const Prepared& prepared,
                  const std::vector<Price>& prices, Faults& faults);

/// Adds a fault for each phase whose held-out part is shorter than one text, if a probe reads
/// held-out texts.
void check_held_out(const Experiment& experiment, const Prepared& prepared, Faults& faults);

}  // namespace ablate::plan
