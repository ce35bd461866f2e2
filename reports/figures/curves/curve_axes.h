// What training curves can be drawn over: text tokens, steps, targets, FLOPs, time.

#pragma once

#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"
#include "reports/figures/curves/curve_data.h"

namespace ablate::reports {

/// The axes; the first is text tokens read.
std::vector<ChartAxis> curve_axes();

/// Where an arm's bands lie, [axis][band], in the order of curve_axes(). Text tokens and steps are
/// those of the curve. Of targets, FLOPs and seconds the ledger has totals: targets and FLOPs are
/// spread evenly over the steps of each phase, seconds over all steps, and the mean is taken over the
/// arm's trials. An axis that no trial's ledger has is empty.
std::vector<std::vector<double>> curve_positions(const ArmResult& arm,
                                                 const std::vector<CurveBand>& bands);

}  // namespace ablate::reports
