// What a paper takes from a report: tables to \input, and a macro for every number.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "tex":
///   tables.tex   a `table` environment (booktabs) for each table of the document, to be \input;
///                needs nothing else.
///   numbers.tex  \newcommand for every estimate and difference, so that prose cites live values:
///                \AblateMlmHeldOutExcess, and with N, Low, High, Mean; \AblateDiffMlmHeldOutExcess,
///                and with P. Names have letters alone. Where two names would be the same, both get
///                letters of a hash of what they stand for, so that no macro changes its meaning
///                when an arm is added.
Format latex_format();

}  // namespace ablate::reports
