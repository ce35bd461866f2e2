// What a paper takes from a report: tables to \input, and a macro for every number.

#pragma once

#include <string>

#include "reports/analysis/analysis.h"
#include "reports/formats/document.h"

namespace ablate::reports {

/// One `table` environment a table of the document (booktabs), to be \input; needs nothing else.
std::string tables_tex(const Document& document);

/// \newcommand for every estimate and difference, so that prose cites live values:
/// \AblateMlmHeldOutExcess, and with N, Low, High, Mean; \AblateDiffMlmHeldOutExcess, and with P.
/// Names have letters alone. Where two names would be the same, both get letters of a hash of what
/// they stand for, so that no macro changes its meaning when an arm is added.
std::string numbers_tex(const Analysis& analysis);

}  // namespace ablate::reports
