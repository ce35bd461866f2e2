// What a report says, in reading order, before it has a format.

#pragma once

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// Everything that is to be said of an experiment. Throws DamagedFile where the stored plan or a
/// stored record does not read.
Document compose(const store::Records& records, const Analysis& analysis);

}  // namespace ablate::reports
