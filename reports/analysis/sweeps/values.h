// The values of swept arms, seed by seed.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// [arm][seed]: a metric's values of the seeds that have one in every arm, by seed, ascending.
/// Requires: an arm.
std::vector<std::vector<double>> complete_seeds(const std::vector<const ArmResult*>& arms,
                                                const std::string& metric);

/// The estimate of values that are all there.
Estimate estimate_of(const std::vector<double>& values);

}  // namespace ablate::reports
