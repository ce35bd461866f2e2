// The report for papers: a folder of tables, figures and numbers to \input.

#pragma once

#include "reports/formats/format.h"

namespace ablate::reports {

/// The first line of every .tex file of a paper, by which an earlier report is known.
inline constexpr std::string_view kPaperMark =
    "% Made by `ablate report`, which writes it anew each time: \\input it, and edit copies.\n";

/// "tex", in the folder paper/:
///   preamble.tex       packages, commands and styles; every other file needs it
///   NAME.tex           each table of the report, the tabular alone
///   NAME-float.tex     the same with caption, notes and label ("tab:EXPERIMENT:NAME")
///   numbers.tex        a macro for every estimate and difference (reports/paper/numbers/macros.h)
///   paper-snippet.tex  a paragraph on the result, with these macros
///   appendix.tex       what reproduces the experiment
///   figures/NAME.tex   each figure, NAME-float.tex with its caption, NAME.csv with its numbers, and
///                      NAME.svg, the same drawing for other programs
///   paper.tex          a document with all of it
///   SHA256SUMS         the hashes of these files, for `sha256sum -c`
/// Labels and macros name the experiment, so that the reports of several fit into one paper.
Format paper_format();

}  // namespace ablate::reports
