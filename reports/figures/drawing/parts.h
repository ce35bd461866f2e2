// What drawings of lines and of rows have in common.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/document/plot.h"
#include "reports/figures/drawing/draw.h"
#include "reports/figures/svg.h"

namespace ablate::reports {

inline constexpr double kTextLine = 16;         // of small text, from one baseline to the next
inline constexpr double kSlideRatio = 9. / 16;  // height by width
inline constexpr int kMarksUp = 5;              // about so many on an axis of numbers
inline constexpr double kEdge = 14;             // from what is drawn to the edge of the sheet

/// A text's width in pixels, estimated: of the font we know only that it has no serifs.
double width_of(std::string_view text);

/// A name that is drawn or explained in a legend, behind its mark.
struct LegendEntry {
  std::string name;
  std::string classes;  // of its line, or of its diamond
  bool diamond = false;
};

/// The entries in as many lines of a width as they take.
std::vector<std::vector<LegendEntry>> lines_of(const std::vector<LegendEntry>& entries,
                                               double width);

/// The characters that a name may have in a legend of a width.
std::size_t legend_characters(double width);

/// Draws the lines from the first one's middle down.
void draw_legend(Svg& svg, const std::vector<std::vector<LegendEntry>>& lines, double left,
                 double middle);

/// The scale of an axis over what it must hold.
Scale scale_of(const PlotAxis& axis, const std::vector<double>& values, double from, double to);

/// The marks of an axis of numbers: those of the plot, or about `wanted` round numbers.
std::vector<AxisMark> marks_of(const PlotAxis& axis, const Scale& scale, int wanted);

/// Writes the marks below an axis, but for those that would overlap the one before.
void draw_marks_below(Svg& svg, const std::vector<AxisMark>& marks, const Scale& scale,
                      double axis);

/// The classes of a level.
std::string_view class_of(PlotLevel::Kind kind);

/// The height that is left on a sheet of which `other` pixels are taken.
double plot_height(const Sheet& sheet, double other);

/// The element: of the sheet's width, but on a slide as wide as its height demands.
Svg begin_drawing(const Plot& plot, std::string_view id, const Sheet& sheet, double height);

}  // namespace ablate::reports
