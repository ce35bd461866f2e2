// Drawings of rows in pgfplots.

#pragma once

#include <string>

#include "reports/document/plot.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// The plot's rows as a tikzpicture.
std::string row_tex(const Plot& plot, const Venue& venue);

/// What all rows show across, with a margin.
statistics::Interval range_of_rows(const Plot& plot);

}  // namespace ablate::reports
