// The steps of training after which probes measure on the way.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The steps after which a trial at this price is measured: ascending, each below the number of its
/// steps. Throws std::invalid_argument where that number is not known, where a point is not below
/// it, or where two points are after the same step.
std::vector<std::int64_t> measuring_steps(const OnTheWay& points, const Price& price);

/// Adds a fault for each probe that cannot measure every arm at its points.
void check_measuring_steps(const Experiment& experiment, const std::vector<Price>& prices,
                           Faults& faults);

}  // namespace ablate::plan
