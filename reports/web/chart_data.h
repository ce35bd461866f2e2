// The numbers of a figure, for the script that draws them anew (reports/assets/charts).

#pragma once

#include <string>

#include "reports/document/document.h"

namespace ablate::reports {

/// The charts of a figure as JSON that is inert within a <script> element: no '<', '>' or '&', all
/// of it ASCII. {"axes": [{"title", "note"}], "band", "charts": [{"quantity", "lines": [{"name", "style",
/// "positions": [axis][point], "mean", "low", "high": [point]}], "levels": [{"name", "value"}]}]}.
/// Numbers have seven significant digits on the axes and five in the values; one that is not finite
/// is null.
std::string chart_data(const Figure& figure);

}  // namespace ablate::reports
