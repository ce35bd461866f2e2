// The values of swept arms, seed by seed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// [arm][seed]: a metric's values of the seeds that have one in every arm, by seed, ascending.
/// Requires: an arm.
std::vector<std::vector<double>> complete_seeds(const std::vector<const ArmResult*>& arms,
                                                const std::string& metric);

/// The swept value that carries a trend, as by statistics::carrying_place(). `places`: those of the values on the
/// trend's axis; `by_place`: [value][seed].
std::optional<CarryingValue> carrying_value(const std::vector<double>& values,
                                            const std::vector<double>& places, std::size_t degree,
                                            const std::vector<std::vector<double>>& by_place);

/// The estimate of values that are all there.
Estimate estimate_of(const std::vector<double>& values);

}  // namespace ablate::reports
