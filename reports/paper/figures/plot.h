// What the drawings of a paper have in common: pgfplots, with the numbers in the drawing, so that it
// compiles wherever it is put, and beside it the same numbers as CSV.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/analysis.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// The characters that a name has room for in a legend.
inline constexpr std::size_t kNameCharacters = 36;

/// A drawing for a paper.
struct PaperFigure {
  std::string name;      // a-z, digits and hyphens
  std::string caption;   // raw
  std::string tex;       // a tikzpicture; needs the preamble of the paper
  std::string csv;       // what is drawn, with all digits
  std::string svg = {};  // the same drawing for pages on a screen (Figure::panels); empty: none
};

/// The size of a drawing's axes.
struct AxisSize {
  double width = 0;   // fraction of the drawing's width that is left between the labels
  double height = 0;  // the same unit
};

/// A coordinate with six significant digits: more than a printer shows. Requires: finite.
std::string coordinate(double value);

/// "(1,2)(3,4)".
struct PlotPoint {
  double x = 0, y = 0;
};
std::string coordinates(const std::vector<PlotPoint>& points);

/// The beginning and the end of a drawing with one pair of axes. `options`: further lines of
/// pgfplots options, each ended by ",\n".
std::string begin_axis(const Venue& venue, AxisSize size, const std::string& options);
std::string end_axis();

/// A label's text as an option of pgfplots: in braces.
std::string braced(std::string_view raw);

/// "held_out.excess (nats/target)".
std::string with_unit(const MetricRow& metric);

/// The closed outline between two lines, filled with a series' colour.
std::string band(const std::vector<PlotPoint>& low, const std::vector<PlotPoint>& high,
                 std::size_t series);

/// The line of a series, which is named in the legend where `name` is not empty.
std::string series_line(const std::vector<PlotPoint>& points, std::size_t series,
                        std::string_view name);

/// The options of a legend for so many names, the longest of so many characters: above the axes, in
/// as many columns as fit.
std::string legend_above(const Venue& venue, std::size_t longest);

/// The width of a drawing in inches: that of the venue's column, or of a usual page.
double width_in_inches(const Venue& venue);

/// The width of so many characters as a fraction of a drawing's width.
double fraction_of_width(const Venue& venue, std::size_t characters);

}  // namespace ablate::reports
