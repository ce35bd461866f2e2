// When probes measure on the way, and what all measuring costs.

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

/// What of the probes' files does not fit into the context of an arm, a sentence for each probe with
/// the arms that it is of. Adds a fault for a probe that can measure nothing of an arm, and for a
/// primary metric that no arm gets for it.
std::vector<std::string> misfits_of(const Catalog& catalog, const Experiment& experiment,
                                    const Prepared& prepared, Faults& faults);

/// Sets the FLOPs of each probe of each arm, on the way and at the end, in its price: an estimate from
/// the tokens that each probe says it reads, at 2 FLOPs for each parameter and token (Kaplan et al.
/// 2020, section 2.1).
void add_measuring_costs(const Catalog& catalog, const Experiment& experiment,
                         std::vector<Price>& prices);

}  // namespace ablate::plan
