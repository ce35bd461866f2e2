// The sections of the report of an experiment whose learning rates were tuned.

#pragma once

#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// What stands below the main table: at which rates the arms are, and which comparisons come out the
/// other way round at the common rate.
std::vector<Paragraph> rates_notes(const Analysis& own, const Analysis& common);

/// The result at the common rate, and what tuning has tried and spent. Requires: own.plan.tuned.
std::vector<Section> tuning_sections(const Analysis& own, const Analysis& common);

}  // namespace ablate::reports
