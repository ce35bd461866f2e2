#include "reports/web/chart_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/base/json/json.h"
#include "reports/figures/svg.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr int kAxisDigits = 7;
constexpr int kValueDigits = 5;

Json rounded_json(double value, int digits) {
  if (!std::isfinite(value)) return {};
  const double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  const bool whole = std::abs(rounded) < 1e15 && rounded == std::floor(rounded);
  return whole ? Json(static_cast<std::int64_t>(rounded)) : Json(rounded);  // 10, not 10.0
}

Json rounded_list(const std::vector<double>& values, int digits) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded_json(value, digits));
  return list;
}

/// The points that a line's crosses mark.
Json crossed_points(const PlotLine& line) {
  Json points = Json::array();
  for (const PlotPoint& cross : line.crosses)
    if (const auto at = std::ranges::find(line.x, cross.x); at != line.x.end())
      points.push_back(at - line.x.begin());
  return points;
}

Json line_json(const PlotLine& line) {
  Json positions = Json::array();
  for (const std::vector<double>& axis : line.positions)
    positions.push_back(rounded_list(axis, kAxisDigits));
  return {{"name", readable(line.name)},
          {"spikes", crossed_points(line)},
          {"style", series_class(line.series)},
          {"positions", std::move(positions)},
          {"mean", rounded_list(line.y, kValueDigits)},
          {"low", rounded_list(line.low, kValueDigits)},
          {"high", rounded_list(line.high, kValueDigits)}};
}

Json chart_json(const Plot& plot) {
  Json lines = Json::array(), levels = Json::array();
  for (const PlotLine& line : plot.lines) lines.push_back(line_json(line));
  for (const PlotLevel& level : plot.levels)
    levels.push_back({{"name", readable(level.name)},
                      {"value", rounded_json(level.at, kValueDigits)},
                      {"start", level.where == PlotLevel::Name::at_start}});
  return {{"quantity", readable(plot.y.title)},
          {"lines", std::move(lines)},
          {"levels", std::move(levels)}};
}

}  // namespace

std::string chart_data(const Figure& figure) {
  Json axes = Json::array(), charts = Json::array();
  for (const ChartAxis& axis : figure.axes)
    axes.push_back({{"title", readable(axis.title)}, {"note", readable(axis.note)}});
  for (const Plot& plot : figure.plots) charts.push_back(chart_json(plot));
  std::string text;
  for (const char c : ascii_text({{"axes", std::move(axes)},
                                  {"band", readable(figure.band)},
                                  {"charts", std::move(charts)}})) {
    const bool markup = c == '<' || c == '>' || c == '&';
    text += markup ? fmt::format("\\u{:04x}", c) : std::string(1, c);
  }
  return text;
}

}  // namespace ablate::reports
