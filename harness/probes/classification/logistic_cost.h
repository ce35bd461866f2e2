// What the linear model of a probe costs, and how that changes with its weights.

#pragma once

#include <span>

#include "harness/probes/classification/logistic_regression.h"

namespace ablate::probes {

/// Mean cost in nats plus penalty / 2 times the squared weights, intercepts apart; adds its
/// gradient to `gradient` [width + 1, classes].
double penalised_cost(const LogisticModel& model, const Observations& rows, double penalty,
                      std::span<double> gradient);

}  // namespace ablate::probes
