// The report for papers: tables to \input, and a macro for every number.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// "tex":
///   tables.tex   a `table` environment (booktabs) for each table of the document, to be \input;
///                needs nothing else. Labels name the experiment, "tab:masking-rate:main", so that
///                the reports of several experiments fit into one paper.
///   numbers.tex  \newcommand for every estimate and difference, so that prose cites live values:
///                \AblateQuickstartMlmHeldOutExcess of the experiment "quickstart", and with the
///                suffixes N, Low, High, Mean; \AblateQuickstartDiffMlmHeldOutExcess, and with the
///                suffix P. Names contain only letters, and arms by name, whatever their labels.
///                Where two names would be equal, both get letters of a hash of what they stand
///                for, so that adding an arm does not change what a macro stands for.
///   table-NAME.tex  each table of tables.tex by itself.
Format latex_format();

}  // namespace ablate::reports
