// The number of steps that spends a budget.

#pragma once

#include <cstdint>

#include "harness/plan/trial/phase.h"

namespace ablate::plan {

/// What one step spends on average, in the units of budgets.
struct StepCost {
  double tokens = 0;     // raw tokens of text
  double positions = 0;  // batch x context
  double targets = 0;    // scored tokens
  double flops = 0;      // of training
};

/// The number of steps that spends the budget, rounded up; 0 if the budget is in seconds. Throws
/// std::invalid_argument if a step spends nothing of it, or if there are too many steps.
std::int64_t steps_of(const Budget& budget, const StepCost& step);

}  // namespace ablate::plan
