// Decides which trials may be trained as one batched model.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// The canonical text of everything in which two arms must agree for their trials to share a bank:
/// the model, what the needs say about building a network, the settings of training except learning
/// rate, packing, budget and phases, the steps, the row shape, and the steps and row shape of each
/// phase.
std::string shape_of(const ResolvedArm& arm, const Price& price);

/// Groups trials of equal shape whose targets per step differ by at most a quarter, so that no lane
/// is padded to several times its size. Trials whose budget is in seconds get a bank each, since
/// their numbers of steps differ. `arm_of`: index of each trial's arm.
std::vector<Bank> group(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                        const std::vector<ResolvedArm>& arms, const std::vector<Price>& prices);

}  // namespace ablate::plan
