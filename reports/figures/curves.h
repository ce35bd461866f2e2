// Training loss by text tokens, over seeds.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/document/document.h"

namespace ablate::reports {

/// Training loss (nats/target) by text tokens read: the mean over seeds and the band from the
/// lowest to the highest. One panel for each objective at one setting, because training losses are
/// comparable only within it. No panels where no curve was recorded.
Figure training_curves(const Analysis& analysis);

}  // namespace ablate::reports
