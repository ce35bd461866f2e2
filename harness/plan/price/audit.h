// What can be said of the arms once they are priced: whether they spend alike, and what would fail
// only after hours of training.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// [{"on", "low", "high", "spread", "tolerance"}], one entry per count to be matched; spread: (high
/// - low) / high. Adds a fault, with the table of what differs and the remedy, where it is too
/// wide.
Json audit_match(const Experiment& experiment, const std::vector<Price>& prices, Faults& faults);

/// A network has as many parameters as the weights that it starts from: heads and rows of another
/// length change their number.
void check_starts(const Experiment& experiment, const Prepared& prepared,
                  const std::vector<Price>& prices, Faults& faults);

/// What reads held-out texts as a trial cuts them needs one of each corpus at least.
void check_held_out(const Catalog& catalog, const Experiment& experiment, const Prepared& prepared,
                    Faults& faults);

}  // namespace ablate::plan
