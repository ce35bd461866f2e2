// The cost of a probe's linear model, and its gradient.

#pragma once

#include <span>

#include "harness/probes/linear/logistic_regression.h"

namespace ablate::probes {

/// Returns the mean cost in nats plus penalty / 2 times the sum of the squared weights, intercepts
/// excluded. Adds the gradient to `gradient`, [width + 1, classes].
double penalised_cost(const LogisticModel& model, const Observations& rows, double penalty,
                      std::span<double> gradient);

}  // namespace ablate::probes
