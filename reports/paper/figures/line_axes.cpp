#include "reports/paper/figures/line_axes.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/figures/svg.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kNumbers = 10;   // characters beside an axis of numbers
constexpr std::size_t kEstimate = 16;  // characters of one
constexpr int kMarksAcross = 5;        // about so many
constexpr std::size_t kMostMarks = 9;  // of numbers: more would touch
constexpr double kHeight = 0.44;       // of the axes, of the drawing's width
constexpr double kUprightShare = 0.8;  // of the width: names of places that take more are turned
constexpr double kTextLineInches = 0.17;
constexpr double kNumbersInches = 0.13;  // what a line of text takes more where it has numbers

/// The names in the legend; above the axes, in as many columns as fit.
std::string legend_options(const Plot& plot, const Venue& venue) {
  std::size_t longest = 0;
  const auto add = [&](const std::string& name) {
    longest = std::max(longest, std::min(characters(name), kLegendName));
  };
  for (const PlotLine& line : plot.lines) add(line.name);
  for (const PlotLevel& level : plot.levels)
    if (level.where == PlotLevel::Name::in_legend) add(level.name);
  if (longest == 0) return "";
  const double entry = fraction_of_width(venue, longest + 8);
  return fmt::format(
      "legend columns={}, legend style={{at={{(0.5,1.03)}}, anchor=south}}, legend cell "
      "align=left,\n",
      std::clamp(static_cast<int>(1 / entry), 1, 4));
}

std::string ends_options(char axis, const PlotAxis& of) {
  if (!of.ends) return "";
  return fmt::format("{0}min={1}, {0}max={2},\n", axis, coordinate(of.ends->low),
                     coordinate(of.ends->high));
}

/// Round numbers between the ends of an axis: "500 k", where pgfplots would write all digits.
std::vector<AxisMark> round_marks(const PlotAxis& axis) {
  std::vector<AxisMark> marks;
  if (!axis.ends || axis.kind != AxisKind::linear) return marks;
  const std::vector<double> places = ticks({axis.ends->low, axis.ends->high}, kMarksAcross);
  for (const double at : places) marks.push_back({at, tick_text(at, places)});
  return marks;
}

/// The names of places below the axis, turned where they would touch.
std::string place_options(const Plot& plot, const Venue& venue) {
  const std::size_t room = width_in_inches(venue) < kNarrowInches ? 16 : 26;
  std::size_t all = 0;
  for (const AxisMark& mark : plot.x.marks) all += std::min(characters(mark.text), room) + 2;
  return fmt::format("xmin=0.5, xmax={}.5,\n{}{}", plot.x.marks.size(),
                     mark_options('x', plot.x.marks, room),
                     fraction_of_width(venue, all) < kUprightShare
                         ? ""
                         : "x tick label style={rotate=40, anchor=north east},\n");
}

/// Lines of text have the other axis on top, and texts at the ends of lines.
std::string axis_on_top(const Plot& plot, const Venue& venue, AxisSize& size) {
  std::size_t longest = 0;
  bool numbers = false, notes = false;
  for (const PlotLine& line : plot.lines)
    for (const LineEnd* end : {&line.before, &line.after}) {
      longest = std::max(longest, characters(end->name) + (end->mean ? kEstimate : 2));
      numbers = numbers || end->mean;
    }
  for (const AxisMark& mark : plot.x.marks) notes = notes || !mark.note.empty();
  const double lines = plot.y.ends->high - plot.y.ends->low;
  size = {std::max(kLeastAxisWidth, 1 - 2 * fraction_of_width(venue, longest)),
          (kTextLineInches + (numbers ? kNumbersInches : 0)) * lines / width_in_inches(venue)};
  return fmt::format(
      "y dir=reverse, ytick=\\empty, enlarge y limits=false, clip=false,\naxis x line*=top, axis y "
      "line=none,\n{}{}",
      notes ? "x tick label style={align=center}, x axis line style={draw=none}, xmajorgrids,\n"
              "tick style={draw=none},\n"
            : "",
      mark_options('x', plot.x.marks, kLegendName));
}

}  // namespace

LineAxes line_axes(const Plot& plot, const Venue& venue) {
  LineAxes axes{.size = {1 - fraction_of_width(venue, kNumbers), kHeight}};
  axes.options = title_option('x', plot.x.title) + title_option('y', plot.y.title) +
                 ends_options('x', plot.x) + ends_options('y', plot.y);
  if (plot.y.kind == AxisKind::lines)
    axes.options += axis_on_top(plot, venue, axes.size);
  else if (plot.x.kind == AxisKind::places)
    axes.options += place_options(plot, venue);
  else if (plot.x.marks.size() <= kMostMarks)
    axes.options +=
        mark_options('x', plot.x.marks.empty() ? round_marks(plot.x) : plot.x.marks, kLegendName);
  if (plot.x.kind == AxisKind::logarithmic) axes.options += "xmode=log,\n";
  axes.options += legend_options(plot, venue);
  return axes;
}

}  // namespace ablate::reports
