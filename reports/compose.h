// Composes the content of a report, independent of its format.

#pragma once

#include "reports/document/document.h"
#include "reports/findings/findings.h"

namespace ablate::reports {

/// A report before it has a format.
struct Composed {
  Findings findings;
  Document document;
};

/// Computes the findings and puts them in order. The result points into the analysis. Throws
/// DamagedFile where the stored plan or a stored record cannot be read.
Composed compose(const Study& study);

}  // namespace ablate::reports
