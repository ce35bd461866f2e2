// Whether the arms spend alike, by every count that the experiment asks to be matched.

#pragma once

#include "harness/plan/price.h"

namespace ablate {

/// [{"on", "low", "high", "spread", "tolerance"}], one entry per count to be matched; spread: (high
/// - low) / high. Adds a fault, with the table of what differs and the remedy, where it is too
/// wide.
Json audit_match(const Experiment& experiment, const std::vector<Price>& prices, Faults& faults);

}  // namespace ablate
