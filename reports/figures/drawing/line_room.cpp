#include "reports/figures/drawing/line_room.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kNumbers = 52;  // beside an axis of numbers
constexpr double kTitle = 19;    // of the axis across
constexpr double kMarks = 24;    // below the axis, or above it
constexpr double kLine = 20;     // of text upwards, and one more where it has numbers
constexpr double kNumbersLine = 14;
constexpr double kLeastRise = 35 * std::numbers::pi / 180;  // of names of places
constexpr double kNameHeight = 11;
constexpr std::size_t kLongestPlace = 24;  // characters

/// The numbers that the axes must hold.
struct AxisValues {
  std::vector<double> across, upwards;
};

AxisValues values_of(const Plot& plot) {
  AxisValues all;
  const auto add = [](std::vector<double>& to, const std::vector<double>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const PlotLine& line : plot.lines) {
    add(all.across, line.x);
    for (const auto* values : {&line.y, &line.low, &line.high}) add(all.upwards, *values);
    for (const auto* points : {&line.dots, &line.crosses})
      for (const PlotPoint& point : *points) {
        all.across.push_back(point.x);
        all.upwards.push_back(point.y);
      }
  }
  for (const PlotLevel& level : plot.levels)
    (level.upright ? all.across : all.upwards).push_back(level.at);
  return all;
}

std::vector<LegendEntry> legend_entries(const Plot& plot, double width) {
  const std::size_t longest = legend_characters(width);
  std::vector<LegendEntry> entries;
  for (const PlotLine& line : plot.lines)
    if (!line.name.empty())
      entries.push_back({arm_label(line.name, longest), "curve " + series_class(line.series)});
  for (const PlotLevel& level : plot.levels)
    if (level.where == PlotLevel::Name::in_legend && !level.name.empty())
      entries.push_back({arm_label(level.name, longest), std::string(class_of(level.kind))});
  return entries;
}

/// The room for the longest text at an end of a line.
double end_room(const Plot& plot, const Sheet& sheet, LineEnd PlotLine::*end) {
  double room = kEdge;
  for (const PlotLine& line : plot.lines)
    for (const std::string& text : {(line.*end).name, numbers_of(line.*end)})
      if (!text.empty()) room = std::max(room, width_of(text) + 2 * kAfterLine);
  return std::min(room, sheet.width / 3);
}

/// The room for the texts of an axis of numbers.
double numbers_room(const Plot& plot) {
  double room = kNumbers;
  for (const AxisMark& mark :
       marks_of(plot.y, scale_of(plot.y, values_of(plot).upwards, 1, 0), kMarksUp))
    room = std::max(room, width_of(mark.text) + kAfterLine);
  return room;
}

/// Names of places below an axis.
struct PlaceNames {
  double room = 0;        // of each
  double longest = 0;     // of them
  bool too_long = false;  // for standing beside each other
  double rise = 0;        // as little as leaves each its height
};

PlaceNames place_names(const Plot& plot, const Sheet& sheet) {
  PlaceNames names{(sheet.width - kNumbers - kEdge) / static_cast<double>(plot.x.marks.size())};
  for (const AxisMark& mark : plot.x.marks) {
    names.longest = std::max(names.longest, width_of(place_name(mark)));
    names.too_long = names.too_long || width_of(mark.text) > names.room - 6;
  }
  names.rise = std::max(kLeastRise, std::asin(std::min(1., kNameHeight / names.room)));
  return names;
}

bool names_upright_level(const Plot& plot) {
  return std::ranges::any_of(plot.levels, [](const PlotLevel& level) {
    return level.upright && !level.name.empty() && level.where != PlotLevel::Name::in_legend;
  });
}

double text_height(const Plot& plot) {
  const bool numbers = std::ranges::any_of(
      plot.lines, [](const PlotLine& line) { return line.before.mean || line.after.mean; });
  return (plot.y.ends->high - plot.y.ends->low) * (kLine + (numbers ? kNumbersLine : 0));
}

}  // namespace

std::string numbers_of(const LineEnd& end) {
  return end.mean ? rounded(*end.mean, end.interval).text() : "";
}

std::string place_name(const AxisMark& mark) { return arm_label(mark.text, kLongestPlace); }

bool has_notes(const Plot& plot) {
  return std::ranges::any_of(plot.x.marks, [](const AxisMark& mark) { return !mark.note.empty(); });
}

LineRoom room_for_lines(const Plot& plot, const Sheet& sheet) {
  LineRoom room{.text_lines = plot.y.kind == AxisKind::lines};
  room.left = room.text_lines ? end_room(plot, sheet, &PlotLine::before) : numbers_room(plot);
  room.right = sheet.width - (room.text_lines ? end_room(plot, sheet, &PlotLine::after) : kEdge);
  double below = room.text_lines ? kEdge : kMarks;
  if (plot.x.kind == AxisKind::places && !room.text_lines) {
    const PlaceNames names = place_names(plot, sheet);
    if (names.too_long) {
      room.rise = names.rise * 180 / std::numbers::pi;
      room.left = std::max(room.left, names.longest * std::cos(names.rise) + 6 - names.room / 2);
      below = names.longest * std::sin(names.rise) + 14;
    }
  }
  if (!room.text_lines && !plot.x.title.empty()) below += kTitle;
  room.legend = lines_of(legend_entries(plot, room.right - room.left), room.right - room.left);
  room.legend_middle = plot.heading.empty() ? 8 : 26;
  room.top = 10 + kTextLine * static_cast<double>(room.legend.size());
  if (!plot.heading.empty()) room.top += kTextLine + 2;
  if (names_upright_level(plot)) room.top += kTextLine;
  if (room.text_lines) room.top += has_notes(plot) ? kMarks + kTextLine : kMarks;
  const double drawn = room.text_lines ? text_height(plot) : plot_height(sheet, room.top + below);
  room.bottom = room.top + drawn;
  room.height = room.bottom + below;
  room.title = room.height - 6;
  const AxisValues values = values_of(plot);
  room.x = scale_of(plot.x, values.across, room.left, room.right);
  room.y = room.text_lines ? Scale{plot.y.ends->low, plot.y.ends->high, room.top, room.bottom}
                           : scale_of(plot.y, values.upwards, room.bottom, room.top);
  return room;
}

}  // namespace ablate::reports
