#include "reports/paper/figures/row_tex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/utf8.h"
#include "reports/paper/figures/tex_parts.h"
#include "reports/paper/numbers/cells.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kRowInches = 0.24;
constexpr std::size_t kGapCharacters = 4;  // between the axes, the names and the numbers
constexpr double kTop = 0.4;               // of the first row, which is at 1
constexpr double kRangeMargin = 0.04;      // of the range, on either side

/// The estimate beside the axes; what else is to be said the shape of the mean says.
std::optional<Estimate> written(const PlotRow& row) {
  if (row.remark.empty() || !row.mean) return std::nullopt;
  return Estimate{.mean = row.mean, .interval = row.interval};
}

std::string mean_style(const PlotRow& row) {
  using enum statistics::Verdict;
  if (!row.verdict) return "ablate row mean";
  const bool open = *row.verdict == inconclusive || *row.verdict == incomparable;
  return open ? "ablate open" : fmt::format("ablate {}", name_of(*row.verdict));
}

std::string across(const std::optional<statistics::Interval>& interval, double y,
                   std::string_view style) {
  if (!interval || !(interval->low < interval->high)) return "";
  return add_plot(style, {{interval->low, y}, {interval->high, y}});
}

std::string one_row(const PlotRow& row, double y) {
  std::string out =
      across(row.wider, y, "ablate together") + across(row.interval, y, "ablate interval");
  std::vector<PlotPoint> dots;
  for (const double value : row.dots) dots.push_back({value, row.verdict ? y + 0.3 : y});
  out += add_plot("ablate dots", dots);
  for (std::size_t i = 0; i < row.references.size(); ++i)
    if (row.references[i])
      out += add_plot(fmt::format("ablate reference {}", i % 3 + 1), {{*row.references[i], y}});
  if (row.mean) out += add_plot(mean_style(row), {{*row.mean, y}});
  const std::optional<Estimate> estimate = written(row);
  if (!estimate) return out;
  return out + node("west", 0,
                    fmt::format("{{rel axis cs:1.02,0}}|-{{axis cs:0,{}}}", coordinate(y)),
                    estimate_tex(*estimate));
}

/// The zone of no interest, and the levels.
std::string ground_tex(const Plot& plot, double bottom) {
  std::string out;
  if (plot.zone)
    out += fmt::format("\\addplot[ablate margin] coordinates {{{}}} -- cycle;\n",
                       coordinates({{plot.zone->low, kTop},
                                    {plot.zone->high, kTop},
                                    {plot.zone->high, bottom},
                                    {plot.zone->low, bottom}}));
  for (const PlotLevel& level : plot.levels)
    out += add_plot(level.kind == PlotLevel::Kind::zero ? "ablate zero" : "ablate level",
                    {{level.at, kTop}, {level.at, bottom}});
  return out;
}

}  // namespace

statistics::Interval range_of_rows(const Plot& plot) {
  if (plot.x.ends) return *plot.x.ends;
  statistics::Interval range{HUGE_VAL, -HUGE_VAL};
  const auto extend = [&](double value) {
    range = {std::min(range.low, value), std::max(range.high, value)};
  };
  const auto both = [&](const std::optional<statistics::Interval>& interval) {
    if (!interval) return;
    extend(interval->low);
    extend(interval->high);
  };
  for (const PlotRow& row : plot.rows) {
    if (row.mean) extend(*row.mean);
    both(row.interval);
    both(row.wider);
    for (const double value : row.dots) extend(value);
    for (const auto& value : row.references)
      if (value) extend(*value);
  }
  for (const PlotLevel& level : plot.levels) extend(level.at);
  both(plot.zone);
  if (range.low > range.high) return {0, 1};
  const double margin = range.high > range.low ? kRangeMargin * (range.high - range.low) : 1;
  return {range.low - margin, range.high + margin};
}

std::string row_tex(const Plot& plot, const Venue& venue) {
  const std::size_t room = width_in_inches(venue) < kNarrowInches ? 18 : 32;
  std::vector<AxisMark> names;
  std::size_t longest = 0, numbers = 0;
  for (const PlotRow& row : plot.rows) {
    names.push_back({static_cast<double>(names.size() + 1), row.name});
    longest = std::max(longest, std::min(characters(row.name), room));
    if (written(row))
      numbers = std::max(numbers, characters(paper_rounded(*row.mean, row.interval).text()));
  }
  const double bottom = static_cast<double>(plot.rows.size()) + 0.6;
  const double labelled = fraction_of_width(venue, longest + numbers + kGapCharacters);
  const AxisSize size{std::max(kLeastAxisWidth, 1 - labelled),
                      kRowInches * (bottom - kTop) / width_in_inches(venue)};
  const statistics::Interval range = range_of_rows(plot);
  std::string out = begin_axis(
      venue, size,
      fmt::format("{}xmajorgrids, xmin={}, xmax={},\ny dir=reverse, ymin={}, ymax={},\n{}"
                  "tick style={{draw=none}}, enlarge y limits=false, clip=false,\n",
                  title_option('x', plot.x.title), coordinate(range.low), coordinate(range.high),
                  coordinate(kTop), coordinate(bottom), mark_options('y', names, room)));
  out += ground_tex(plot, bottom);
  for (std::size_t i = 0; i < plot.rows.size(); ++i)
    out += one_row(plot.rows[i], static_cast<double>(i + 1));
  return out + end_axis();
}

}  // namespace ablate::reports
