// Composes the content of a report, independent of its format.

#pragma once

#include "reports/findings/findings.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// The sentences of the answer: on floors and primary differences, on who overtakes whom, and on orders
/// that depend on the budget.
std::vector<Statement> whole_answer(const Analysis& analysis, const Findings& findings);

/// The content of an experiment's report. Throws DamagedFile where the stored plan or a stored
/// record cannot be read.
Document compose(const Analysis& analysis, const Findings& findings,
                 const Analysis* common = nullptr);

}  // namespace ablate::reports
