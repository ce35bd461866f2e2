#include "reports/paper/figures/line_tex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/utf8.h"
#include "reports/figures/svg.h"
#include "reports/paper/figures/tex_parts.h"
#include "reports/paper/numbers/cells.h"
#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kLegendName = 36;  // characters
constexpr std::size_t kNumbers = 10;     // characters beside an axis of numbers
constexpr std::size_t kEstimate = 16;    // characters of one
constexpr int kMarksAcross = 5;          // about so many
constexpr std::size_t kMostMarks = 9;    // of numbers: more would touch
constexpr double kHeight = 0.44;         // of the axes, of the drawing's width
constexpr double kUprightShare = 0.8;    // of the width: names of places that take more are turned
constexpr double kTextLineInches = 0.17;
constexpr double kNumbersInches = 0.13;  // what a line of text takes more where it has numbers

/// A line of so few points has a mark at each; longer ones at every eighth.
constexpr std::size_t kMostPointMarks = 16;

/// The colours of Okabe and Ito 2008, "Color Universal Design", repeat after so many.
constexpr std::size_t kSeries = 6;

/// The style of each line, from 1 on: by its series, as in all plots of an arm, but by its place where two
/// lines would look alike.
std::vector<std::size_t> styles_of(const Plot& plot) {
  std::vector<std::size_t> styles;
  std::set<std::size_t> series, different;
  for (const PlotLine& line : plot.lines) {
    styles.push_back(line.series % kSeries + 1);
    series.insert(line.series);
    different.insert(styles.back());
  }
  if (different.size() < series.size())
    for (std::size_t i = 0; i < styles.size(); ++i) styles[i] = i % kSeries + 1;
  return styles;
}

std::vector<PlotPoint> points_of(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<PlotPoint> points;
  points.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
  return points;
}

/// The ends of all that is drawn across.
statistics::Interval reach_of(const Plot& plot) {
  if (plot.x.ends) return *plot.x.ends;
  statistics::Interval reach{HUGE_VAL, -HUGE_VAL};
  const auto extend = [&](double x) { reach = {std::min(reach.low, x), std::max(reach.high, x)}; };
  for (const PlotLine& line : plot.lines) {
    for (const double x : line.x) extend(x);
    for (const auto* points : {&line.dots, &line.crosses})
      for (const PlotPoint& point : *points) extend(point.x);
  }
  for (const PlotLevel& level : plot.levels)
    if (level.upright) extend(level.at);
  return reach.low <= reach.high ? reach : statistics::Interval{0, 1};
}

/// A height at which something is drawn: TeX cannot hold places far outside the axes.
double drawn_height(const Plot& plot) {
  for (const PlotLine& line : plot.lines) {
    if (!line.y.empty()) return line.y.front();
    if (!line.dots.empty()) return line.dots.front().y;
  }
  return 0;
}

/// Nothing that is seen, from end to end: what is no line of pgfplots does not extend its axes.
std::string reach_tex(const Plot& plot) {
  if (plot.x.ends || plot.x.kind == AxisKind::places) return "";
  const statistics::Interval reach = reach_of(plot);
  const double y = drawn_height(plot);
  return add_plot("draw=none, mark=none, forget plot", {{reach.low, y}, {reach.high, y}});
}

std::string style_of(const PlotLine& line, std::size_t style) {
  switch (line.kind) {
    case LineKind::pair:
      return line.dots.empty() ? "ablate together" : "ablate seed";
    case LineKind::bar:
      return "ablate mean";
    case LineKind::joint:
      return "ablate joined";
    default:
      return fmt::format("ablate series {}{}{}", style,
                         line.x.size() <= kMostPointMarks ? ", mark repeat=1" : "",
                         line.name.empty() ? ", forget plot" : "");
  }
}

/// The closed outline between low and high.
std::string band_tex(const PlotLine& line, std::size_t style) {
  if (line.low.empty()) return "";
  std::vector<PlotPoint> outline = points_of(line.x, line.low);
  const std::vector<PlotPoint> high = points_of(line.x, line.high);
  outline.insert(outline.end(), high.rbegin(), high.rend());
  return fmt::format("\\addplot[ablate band {}, forget plot] coordinates {{\n  {}}} -- cycle;\n",
                     style, coordinates(outline));
}

/// Where it has no height, a cross stands at the upper edge.
std::string crosses_tex(const PlotLine& line, double height) {
  std::string out;
  std::vector<PlotPoint> placed;
  for (const PlotPoint& cross : line.crosses)
    if (std::isfinite(cross.y))
      placed.push_back(cross);
    else
      out += node("north", 0,
                  fmt::format("{{axis cs:{},{}}}|-{{rel axis cs:0,1}}", coordinate(cross.x),
                              coordinate(height)),
                  "$\\times$");
  return out + add_plot("only marks, mark=x, forget plot", placed);
}

std::string end_tex(const LineEnd& end, PlotPoint at, bool before) {
  if (end.name.empty()) return "";
  std::string text = latex_text(end.name);
  if (end.mean) text += " " + estimate_tex({.mean = end.mean, .interval = end.interval});
  return node(before ? "east" : "west", before ? -4 : 4,
              fmt::format("axis cs:{},{}", coordinate(at.x), coordinate(at.y)), text);
}

std::string one_line(const PlotLine& line, std::size_t style, double height) {
  const std::vector<PlotPoint> points = points_of(line.x, line.y);
  std::string out = band_tex(line, style);
  if (line.kind == LineKind::series)
    out += add_plot(fmt::format("ablate dot {}, forget plot", style), line.dots);
  out += add_plot(style_of(line, style), points);
  if (!line.name.empty())
    out += fmt::format("\\addlegendentry{}\n", braced(arm_label(line.name, kLegendName)));
  out += add_plot("ablate pointed, forget plot", line.diamonds) + crosses_tex(line, height);
  if (points.empty()) return out;
  return out + end_tex(line.before, points.front(), true) +
         end_tex(line.after, points.back(), false);
}

/// The name of a level at its end: on the side on which the first line does not end.
std::string level_name(const Plot& plot, const PlotLevel& level) {
  const bool start = level.where == PlotLevel::Name::at_start;
  const bool above = !plot.lines.empty() && !plot.lines.front().y.empty() &&
                     plot.lines.front().y.back() > level.at;
  return fmt::format(" node[pos={}, anchor={}] {}", start ? 0 : 1,
                     start   ? "south west"
                     : above ? "north east"
                             : "south east",
                     braced(level.name));
}

std::string level_tex(const Plot& plot, const PlotLevel& level) {
  if (level.upright)
    return fmt::format(
        "\\draw[black!70, densely dotted, thin] ({{axis cs:{0},{1}}}|-{{rel axis cs:0,0}}) -- "
        "({{axis cs:{0},{1}}}|-{{rel axis cs:0,1}});\n",
        coordinate(level.at), coordinate(drawn_height(plot)));
  const statistics::Interval reach = reach_of(plot);
  const bool listed = !level.name.empty() && level.where == PlotLevel::Name::in_legend;
  const bool named = !level.name.empty() && !listed;
  return fmt::format(
      "\\addplot[ablate level{}] coordinates {{{}}}{};\n{}", listed ? "" : ", forget plot",
      coordinates({{reach.low, level.at}, {reach.high, level.at}}),
      named ? level_name(plot, level) : "",
      listed ? fmt::format("\\addlegendentry{}\n", braced(arm_label(level.name, kLegendName)))
             : "");
}

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

std::string line_tex(const Plot& plot, const Venue& venue) {
  AxisSize size{1 - fraction_of_width(venue, kNumbers), kHeight};
  std::string options = title_option('x', plot.x.title) + title_option('y', plot.y.title) +
                        ends_options('x', plot.x) + ends_options('y', plot.y);
  if (plot.y.kind == AxisKind::lines)
    options += axis_on_top(plot, venue, size);
  else if (plot.x.kind == AxisKind::places)
    options += place_options(plot, venue);
  else if (plot.x.marks.size() <= kMostMarks)
    options +=
        mark_options('x', plot.x.marks.empty() ? round_marks(plot.x) : plot.x.marks, kLegendName);
  if (plot.x.kind == AxisKind::logarithmic) options += "xmode=log,\n";
  std::string out = begin_axis(venue, size, options + legend_options(plot, venue));
  out += reach_tex(plot);
  const std::vector<std::size_t> styles = styles_of(plot);
  for (std::size_t i = 0; i < styles.size(); ++i)
    out += one_line(plot.lines[i], styles[i], drawn_height(plot));
  for (const PlotLevel& level : plot.levels) out += level_tex(plot, level);
  return out + end_axis();
}

}  // namespace ablate::reports
