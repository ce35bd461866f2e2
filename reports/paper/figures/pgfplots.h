// Plots as pgfplots, with the numbers in the drawing, so that it compiles wherever it is put.

#pragma once

#include <string>

#include "reports/document/plot.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// A tikzpicture, which needs the preamble of the paper. At most kRowsInADrawing rows fit on a page.
std::string pgfplots(const Plot& plot, const Venue& venue);

/// The rows of one drawing that leave room for a caption.
inline constexpr std::ptrdiff_t kRowsInADrawing = 26;

}  // namespace ablate::reports
