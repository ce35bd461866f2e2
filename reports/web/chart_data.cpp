#include "reports/web/chart_data.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "harness/base/json/json.h"
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

Json line_json(const ChartLine& line) {
  Json positions = Json::array();
  for (const std::vector<double>& axis : line.positions)
    positions.push_back(rounded_list(axis, kAxisDigits));
  Json spikes = Json::array();
  for (const std::size_t point : line.spikes) spikes.push_back(point);
  return {{"name", readable(line.name)},
          {"spikes", std::move(spikes)},
          {"style", line.style},
          {"positions", std::move(positions)},
          {"mean", rounded_list(line.mean, kValueDigits)},
          {"low", rounded_list(line.low, kValueDigits)},
          {"high", rounded_list(line.high, kValueDigits)}};
}

Json chart_json(const Chart& chart) {
  Json lines = Json::array(), levels = Json::array();
  for (const ChartLine& line : chart.lines) lines.push_back(line_json(line));
  for (const ChartLevel& level : chart.levels)
    levels.push_back(
        {{"name", readable(level.name)}, {"value", rounded_json(level.value, kValueDigits)}});
  return {{"quantity", readable(chart.quantity)},
          {"lines", std::move(lines)},
          {"levels", std::move(levels)}};
}

}  // namespace

std::string chart_data(const Figure& figure) {
  Json axes = Json::array(), charts = Json::array();
  for (const ChartAxis& axis : figure.axes)
    axes.push_back({{"title", readable(axis.title)}, {"note", readable(axis.note)}});
  for (const Chart& chart : figure.charts) charts.push_back(chart_json(chart));
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
