// What drawings of lines and of rows in pgfplots have in common.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/document/plot.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

inline constexpr double kNarrowInches = 4;       // names are shorter in a drawing below that width
inline constexpr double kLeastAxisWidth = 0.25;  // beside texts, as a fraction

/// The size of a drawing's axes.
struct AxisSize {
  double width = 0;   // fraction of the drawing's width that is left between the labels
  double height = 0;  // the same unit
};

/// A coordinate with six significant digits: more than a printer shows. Requires: finite.
std::string coordinate(double value);

/// "(1,2)(3,4)".
std::string coordinates(const std::vector<PlotPoint>& points);

/// "\addplot[STYLE] coordinates {...};". Nothing for no points.
std::string add_plot(std::string_view style, const std::vector<PlotPoint>& points);

/// "\node[anchor=ANCHOR, xshift=SHIFTpt] at (AT) {TEXT};". `tex` is escaped.
std::string node(std::string_view anchor, int shift, const std::string& at, std::string_view tex);

/// The beginning and the end of a drawing with one pair of axes. `options`: further lines of
/// pgfplots options, each ended by ",\n".
std::string begin_axis(const Venue& venue, AxisSize size, const std::string& options);
std::string end_axis();

/// A label's text as an option of pgfplots: in braces.
std::string braced(std::string_view raw);

/// An axis' title as an option; shortened where it would not fit along the axis.
std::string title_option(char axis, const std::string& title);

/// The places and the texts of marks as options; nothing for none.
std::string mark_options(char axis, const std::vector<AxisMark>& marks, std::size_t characters);

/// The width of a drawing in inches: that of the venue's column, or of a usual page.
double width_in_inches(const Venue& venue);

/// The width of so many characters as a fraction of a drawing's width.
double fraction_of_width(const Venue& venue, std::size_t characters);

}  // namespace ablate::reports
