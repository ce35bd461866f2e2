#include "reports/paper/figures/plot.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kUsualWidth = 5.5;  // inches
constexpr std::size_t kLabel = 60;   // characters: a longer label would not fit along an axis
constexpr double kUsualPoints = 8;   // \footnotesize
constexpr double kCharacter = 0.5;   // of the font's size: the mean width of a letter
constexpr double kPointsAnInch = 72.27;

/// A line of so few points has a mark at each; longer ones at every eighth.
constexpr std::size_t kMaxMarks = 16;

/// The colours of Okabe and Ito 2008, "Color Universal Design", repeat after so many.
constexpr std::size_t kSeries = 6;

/// The unit of widths in LaTeX.
std::string unit_of(const Venue& venue) {
  return venue.column > 0 ? fmt::format("{}in", venue.column) : "\\linewidth";
}

std::string length(const Venue& venue, double fraction) {
  return venue.column > 0 ? fmt::format("{:.3f}in", fraction * venue.column)
                          : fmt::format("{:.3f}{}", fraction, unit_of(venue));
}

std::string font(const Venue& venue) {
  if (venue.points == 0) return "\\footnotesize";
  return fmt::format("\\fontsize{{{}}}{{{}}}\\selectfont", venue.points, venue.points + 2);
}

}  // namespace

std::string coordinate(double value) { return fmt::format("{:.6g}", value); }

std::string coordinates(const std::vector<PlotPoint>& points) {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format("{}({},{})", i > 0 && i % 5 == 0 ? "\n  " : "", coordinate(points[i].x),
                        coordinate(points[i].y));
  return text;
}

std::string begin_axis(const Venue& venue, AxisSize size, const std::string& options) {
  return fmt::format(
      "\\AblateFit{{%\n\\begin{{tikzpicture}}[font={}]\n\\begin{{axis}}[ablate, width={}, "
      "height={},\n{}]\n",
      font(venue), length(venue, size.width), length(venue, size.height), options);
}

std::string end_axis() { return "\\end{axis}\n\\end{tikzpicture}%\n}\n"; }

std::string braced(std::string_view raw) { return "{" + latex_text(raw) + "}"; }

std::string with_unit(const MetricRow& metric) {
  return shortened(
      metric.unit.empty() ? metric.label : fmt::format("{} ({})", metric.label, metric.unit),
      kLabel);
}

std::string band(const std::vector<PlotPoint>& low, const std::vector<PlotPoint>& high,
                 std::size_t series) {
  std::vector<PlotPoint> outline = low;
  outline.insert(outline.end(), high.rbegin(), high.rend());
  return fmt::format("\\addplot[ablate band {}, forget plot] coordinates {{\n  {}}} -- cycle;\n",
                     series % kSeries + 1, coordinates(outline));
}

std::string series_line(const std::vector<PlotPoint>& points, std::size_t series,
                        std::string_view name) {
  return fmt::format("\\addplot[ablate series {}{}{}] coordinates {{\n  {}}};\n{}",
                     series % kSeries + 1, points.size() <= kMaxMarks ? ", mark repeat=1" : "",
                     name.empty() ? ", forget plot" : "", coordinates(points),
                     name.empty() ? "" : "\\addlegendentry" + braced(name) + "\n");
}

std::string legend_above(const Venue& venue, std::size_t longest) {
  const double entry = fraction_of_width(venue, longest + 8);
  const int columns = std::clamp(static_cast<int>(1 / entry), 1, 4);
  return fmt::format(
      "legend columns={}, legend style={{at={{(0.5,1.03)}}, anchor=south}}, legend cell "
      "align=left,\n",
      columns);
}

double width_in_inches(const Venue& venue) { return venue.column > 0 ? venue.column : kUsualWidth; }

double fraction_of_width(const Venue& venue, std::size_t characters) {
  const double points = venue.points > 0 ? venue.points : kUsualPoints;
  return static_cast<double>(characters) * kCharacter * points / kPointsAnInch /
         width_in_inches(venue);
}

}  // namespace ablate::reports
