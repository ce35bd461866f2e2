// Drawings for papers as PDF.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/formats/report_file.h"

namespace ablate::commands {

/// Makes NAME.pdf beside each drawing paper/figures/NAME.svg of the files, which are in `folder`,
/// with rsvg-convert of librsvg. Its dates are fixed, so that the same drawing and fonts make the
/// same bytes. An earlier NAME.pdf is removed first: none is ever older than its drawing.
/// Returns why there are none, for a reader; empty where all were made.
std::string write_pdf_figures(const std::filesystem::path& folder,
                              const std::vector<reports::ReportFile>& files);

}  // namespace ablate::commands
