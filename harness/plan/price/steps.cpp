// Divides budgets by the cost of a step.

#include "harness/plan/price/steps.h"

#include <algorithm>
#include <cmath>

#include "harness/base/error.h"

namespace ablate::plan {
namespace {

constexpr double kMaxSteps = 1e12;

/// What a step spends of a budget in this unit.
double spent_of(const std::string& unit, const StepCost& step) {
  if (unit == "tokens") return step.tokens;
  if (unit == "positions") return step.positions;
  if (unit == "targets") return step.targets;
  return unit == "flops" ? step.flops : 1;
}

}  // namespace

std::int64_t steps_of(const Budget& budget, const StepCost& step) {
  const auto& [unit, amount] = budget;
  if (unit == "seconds") return 0;
  const double per_step = spent_of(unit, step);
  if (per_step <= 0)
    reject("a step has no {}, so a budget in {} is never spent; give another budget", unit, unit);
  // A fraction of a budget is a product: a rounding error in it must not add a step.
  const double steps = std::ceil(amount / per_step * (1 - 1e-12));
  if (steps > kMaxSteps)
    reject("the budget is {:g} steps; at most {:g} are accepted", steps, kMaxSteps);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

}  // namespace ablate::plan
