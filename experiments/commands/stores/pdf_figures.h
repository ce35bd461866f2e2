// Drawings for papers as PDF.

#pragma once

#include <string>
#include <vector>

#include "reports/formats/report_file.h"

namespace ablate::commands {

/// The PDFs that were made, and why others were not, for a reader; `fault` is empty where all were.
struct PdfFigures {
  std::vector<reports::ReportFile> files;
  std::string fault;
};

/// Makes paper/figures/NAME.pdf of each drawing paper/figures/NAME.svg among the files, with
/// rsvg-convert of librsvg, on all processors. Its dates are fixed, so that the same drawing and fonts
/// make the same bytes.
PdfFigures pdf_figures(const std::vector<reports::ReportFile>& files);

}  // namespace ablate::commands
