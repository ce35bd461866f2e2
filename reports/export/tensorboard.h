// Experiments as TensorBoard's event files.

#pragma once

#include <span>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {

/// A file EXPERIMENT/ARM/seed-N/events.out.tfevents.SECONDS.ablate for each trial that has begun:
/// "curve/loss", "curve/learning_rate" and "curve/gradient_norm" by step, and each metric, as
/// "metric/NAME", at the steps at which it was measured on the way and at the last one. Values are rounded to 32 bits, which is what the format holds.
/// Every event has the time at which its trial began.
std::vector<ReportFile> tensorboard_files(std::span<const Analysis> experiments);

}  // namespace ablate::reports
