// What a group of metrics found, in a few words.

#pragma once

#include <string>
#include <vector>

#include "reports/analysis/analysis.h"

namespace ablate::reports {

/// "topic accuracy from 0.511 (mlm) to 0.798 (clm)": the lowest and highest mean over seeds of the primary metric, if it is
/// among these, else of the first, that has a better direction and in which all arms may be compared. Nothing is claimed
/// of the difference. Empty where fewer than two arms have values of one.
std::string metric_range(const Analysis& analysis, const std::vector<const MetricRow*>& metrics);

}  // namespace ablate::reports
