#include "reports/nightly/series_figure.h"

#include "reports/figures/svg.h"
#include "reports/nightly/series_text.h"

namespace ablate::reports {
namespace {

using nightly::History;
using nightly::Kind;
using nightly::NightValue;
using nightly::SeriesHistory;
using nightly::Step;

constexpr int kMarksUpwards = 5;  // about so many upwards
constexpr double kMargin = 0.1;

const char* description(const SeriesHistory& series) {
  return series.kind == Kind::speed
             ? "The median of each night, with quartiles, and lines where the time took a step or "
               "the baseline a new pin."
             : "The mean of each night and of its baseline, and lines where the metric took a step "
               "or the baseline a new pin.";
}

double between(std::size_t a, std::size_t b) { return static_cast<double>(a + b) / 2; }

/// The nights' values, with whiskers where there are quartiles.
PlotLine values_of(const SeriesHistory& series) {
  PlotLine line{.series = 0, .whiskers = true};
  for (const NightValue& each : series.values) {
    line.x.push_back(static_cast<double>(each.night));
    line.y.push_back(each.centre);
    line.low.push_back(each.low);
    line.high.push_back(each.high);
    line.dots.push_back({line.x.back(), each.centre});
  }
  return line;
}

PlotLine baseline_of(const SeriesHistory& series) {
  PlotLine line{.series = 1};
  for (const NightValue& each : series.values)
    if (each.baseline) {
      line.x.push_back(static_cast<double>(each.night));
      line.y.push_back(*each.baseline);
    }
  if (!line.x.empty()) line.name = "baseline";
  return line;
}

/// Steps, and where another pin than that of the night before is the baseline.
std::vector<PlotLevel> changes_of(const History& history, const SeriesHistory& series) {
  std::vector<PlotLevel> levels;
  for (const Step& step : series.steps)
    levels.push_back({.at = between(step.last_before, step.first_after), .upright = true});
  for (std::size_t i = 1; i < series.values.size(); ++i) {
    const std::size_t before = series.values[i - 1].night, after = series.values[i].night;
    if (history.nights[before].pin != history.nights[after].pin)
      levels.push_back({.at = between(before, after),
                        .name = "pin",
                        .kind = PlotLevel::Kind::change,
                        .where = PlotLevel::Name::at_end,
                        .upright = true});
  }
  return levels;
}

PlotAxis nights_of(const History& history, const SeriesHistory& series) {
  PlotAxis axis{.ends =
                    statistics::Interval{static_cast<double>(series.values.front().night) - 0.5,
                                         static_cast<double>(series.values.back().night) + 0.5}};
  for (const NightValue& each : series.values) {
    const nightly::NightLine& night = history.nights[each.night];
    axis.marks.push_back(
        {static_cast<double>(each.night), night.date.empty() ? night.name : night.date});
  }
  return axis;
}

/// Marks in the series' own unit.
PlotAxis values_axis(const SeriesHistory& series) {
  std::vector<double> all;
  for (const NightValue& each : series.values) {
    all.insert(all.end(), {each.low, each.high});
    if (each.baseline) all.push_back(*each.baseline);
  }
  const Scale scale = scale_over(all, 0, 1, kMargin);
  PlotAxis axis{.ends = statistics::Interval{scale.low, scale.high}};
  for (const double at : ticks(scale, kMarksUpwards))
    axis.marks.push_back({at, value_text(series, at)});
  return axis;
}

}  // namespace

Figure series_figure(const History& history, const SeriesHistory& series) {
  const std::string what = series.kind == Kind::speed
                               ? "Time per night: median and quartiles of its repetitions."
                               : "Mean over seeds per night, with the baseline's.";
  Plot plot{.title = series.series,
            .description = description(series),
            .x = nights_of(history, series),
            .y = values_axis(series),
            .lines = {baseline_of(series), values_of(series)},
            .levels = changes_of(history, series)};
  return {.name = "history",
          .caption = what + " Dotted lines: steps. Dashed lines: another pin is the baseline.",
          .plots = {std::move(plot)}};
}

}  // namespace ablate::reports
