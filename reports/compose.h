// Composes the content of a report, independent of its format.

#pragma once

#include "reports/document/document.h"
#include "reports/findings/findings.h"

namespace ablate::reports {

/// The sentences of the answer: on floors and primary differences, on who overtakes whom, and on orders
/// that depend on the budget.
std::vector<Statement> whole_answer(const Analysis& analysis, const Findings& findings);

/// The content of an experiment's report. Throws DamagedFile where the stored plan or a stored
/// record cannot be read.
Document compose(const Study& study, const Findings& findings);

}  // namespace ablate::reports
