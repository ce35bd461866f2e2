// Drawings of rows.

#pragma once

#include <string>
#include <string_view>

#include "reports/figures/drawing/draw.h"

namespace ablate::reports {

/// The plot's rows as an SVG element.
std::string draw_rows(const Plot& plot, std::string_view id, const Sheet& sheet);

}  // namespace ablate::reports
