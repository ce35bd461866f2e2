// Drawings of lines in pgfplots.

#pragma once

#include <string>

#include "reports/document/plot.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// The plot's lines as a tikzpicture.
std::string line_tex(const Plot& plot, const Venue& venue);

}  // namespace ablate::reports
