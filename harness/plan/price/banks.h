// Which trials may be trained as one batched model.

#pragma once

#include "harness/plan/price/price.h"

namespace ablate::plan {

/// What two arms have in common when their trials can share a bank: the model, everything about
/// training but the learning rate, and the shape of a step; of each phase, its steps and the shape
/// of its rows. Trials whose budget is in seconds share
/// none: their steps are their own.
std::string shape_of(const ResolvedArm& arm, const Price& price);

/// Groups trials of equal shape whose targets per step differ by no more than a quarter, so that a
/// lane is not padded to several times its size. `arm_of`: the arm of each trial.
std::vector<Bank> group(const std::vector<Trial>& trials, const std::vector<std::size_t>& arm_of,
                        const std::vector<ResolvedArm>& arms, const std::vector<Price>& prices);

}  // namespace ablate::plan
