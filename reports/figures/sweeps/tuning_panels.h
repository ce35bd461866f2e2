// What tuning has found, for those who draw it.

#pragma once

#include <deque>
#include <vector>

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// Panels with the values that they point to.
struct TuningPanels {
  std::vector<SweepPanel> panels = {};
  std::deque<Estimate> values = {};
};

/// The criterion by learning rate, a panel for each arm: rates at which a trial diverged are left out.
/// Panels point into the record and the analysis.
TuningPanels rate_panels(const TuningRecord& record, const Analysis& analysis);

/// What the best of n rates is expected to have, by n. One panel where the criterion may be compared
/// between all arms, else one for each arm.
TuningPanels expected_best_panels(const TuningRecord& record, const Analysis& analysis);

/// The expected best as a figure of a page.
Figure expected_best_figure(const TuningRecord& record, const Analysis& analysis);

/// The caption of that figure, for the page and for paper.
std::string expected_best_caption(const TuningRecord& record);

}  // namespace ablate::reports
