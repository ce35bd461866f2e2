// The criterion of tuning by learning rate.

#pragma once

#include "reports/analysis/tuning/tuning_record.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// One panel for each arm: the criterion's mean over tuning seeds by learning rate, the seeds, the
/// chosen rate, and the common one. Rates at which a trial diverged are crosses at the upper edge.
/// Each panel has its own vertical axis, because values of different objectives are not comparable.
Figure rate_curves(const TuningRecord& record);

}  // namespace ablate::reports
