#include "reports/paper/figures/line_tex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/paper/figures/line_axes.h"
#include "reports/paper/figures/tex_parts.h"
#include "reports/paper/numbers/cells.h"
#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

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

}  // namespace

std::string line_tex(const Plot& plot, const Venue& venue) {
  const LineAxes axes = line_axes(plot, venue);
  std::string out = begin_axis(venue, axes.size, axes.options);
  out += reach_tex(plot);
  const std::vector<std::size_t> styles = styles_of(plot);
  for (std::size_t i = 0; i < styles.size(); ++i)
    out += one_line(plot.lines[i], styles[i], drawn_height(plot));
  for (const PlotLevel& level : plot.levels) out += level_tex(plot, level);
  return out + end_axis();
}

}  // namespace ablate::reports
