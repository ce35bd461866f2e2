// The report for papers: tables to \input, and a macro for every number.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "tex":
///   tables.tex   a `table` environment (booktabs) for each table of the document, to be \input;
///                needs nothing else.
///   numbers.tex  \newcommand for every estimate and difference, so that prose cites live values:
///                \AblateMlmHeldOutExcess, and with the suffixes N, Low, High, Mean;
///                \AblateDiffMlmHeldOutExcess, and with the suffix P. Names contain only letters.
///                Where two names would be equal, both get letters of a hash of what they stand
///                for, so that adding an arm does not change what a macro stands for.
Format latex_format();

}  // namespace ablate::reports
