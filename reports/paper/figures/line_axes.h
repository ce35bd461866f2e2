// The axes of a drawing of lines in pgfplots: their size, ends, marks and legend.

#pragma once

#include <string>

#include "reports/paper/figures/tex_parts.h"

namespace ablate::reports {

/// The characters that a name has room for in a legend.
inline constexpr std::size_t kLegendName = 36;

struct LineAxes {
  AxisSize size;
  std::string options = {};  // lines of pgfplots options, each ended by ",\n"
};

LineAxes line_axes(const Plot& plot, const Venue& venue);

}  // namespace ablate::reports
