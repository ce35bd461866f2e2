// Composes the content of a report, independent of its format.

#pragma once

#include "reports/findings/findings.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// The content of an experiment's report. Throws DamagedFile where the stored plan or a stored
/// record cannot be read.
Document compose(const store::Records& records, const Analysis& analysis, const Findings& findings,
                 const Analysis* common = nullptr);

}  // namespace ablate::reports
