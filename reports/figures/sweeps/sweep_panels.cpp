#include "reports/figures/sweeps/sweep_panels.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "reports/analysis/compare.h"
#include "reports/figures/plots.h"
#include "reports/tables/table.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

/// What a drawing shows around the mean: the band, or the t-interval of this value by itself.
const std::optional<statistics::Interval>& band_of(const SweepSpot& spot) {
  return spot.band ? spot.band : spot.seen.interval;
}

PlotLine line_of(const SweepPanel& panel, std::size_t index) {
  PlotLine line{.name = panel.lines[index].name, .series = index};
  for (const SweepSpot& spot : panel.lines[index].spots) {
    const double mean = *spot.seen.mean;
    const auto& band = band_of(spot);
    line.x.push_back(spot.value);
    line.y.push_back(mean);
    line.low.push_back(band ? band->low : mean);
    line.high.push_back(band ? band->high : mean);
    for (const double value : dots_of(spot.seen)) line.dots.push_back({spot.value, value});
    if (panel.baseline != nullptr && spot.arm == panel.baseline)
      line.diamonds.push_back({spot.value, *panel.level.mean});
  }
  return line;
}

std::string describe(const SweepPanel& panel) {
  std::string text;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots)
      text += fmt::format("{} at {}{}: {}. ", line.name, significant(spot.value, 4),
                          spot.arm == panel.baseline ? ", the baseline" : "",
                          rounded(*spot.seen.mean, spot.seen.interval).text());
  return text;
}

std::string csv_of(const SweepPanel& panel) {
  Csv csv({"family", "arm", "parameter", "value", "metric", "mean", "low", "high", "n"});
  using Number = std::optional<double>;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) {
      csv.text(line.name).text(spot.arm->name).text(panel.parameter).number(Number(spot.value));
      csv.text(panel.metric.name).number(spot.seen.mean);
      csv.interval(band_of(spot)).number(spot.seen.n).end();
    }
  return csv.str();
}

/// Whether the baseline is one of the arms that sweep.
bool is_swept(const SweepPanel& panel) {
  return std::ranges::any_of(panel.lines, [&](const SweepLine& line) {
    return std::ranges::any_of(line.spots,
                               [&](const SweepSpot& spot) { return spot.arm == panel.baseline; });
  });
}

/// The values of the spot that has most.
std::int64_t most_values(const SweepPanel& panel) {
  std::int64_t most = 0;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) most = std::max(most, spot.seen.n);
  return most;
}

std::string caption_of(const SweepPanel& panel) {
  return fmt::format("{} by {}: the mean over seeds, and {}; dots are seeds.{}{}",
                     arrowed(panel.metric), panel.parameter,
                     panel.together
                         ? "a band that covers all means of a line at once with 95 % (t-intervals, "
                           "by Bonferroni's inequality over its values)"
                         : "its 95 % t-interval as a band, at each value by itself",
                     panel.baseline == nullptr ? ""
                     : is_swept(panel) ? " Dotted: the mean of the baseline, which is the diamond."
                                       : " Dotted: the baseline's mean.",
                     dots_note(most_values(panel)));
}

Plot plot_of(const SweepPanel& panel) {
  std::vector<double> places;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) places.push_back(spot.value);
  Plot plot{.title = fmt::format("{} by {}", panel.metric.label, panel.parameter),
            .description = describe(panel),
            .heading = heading_of(panel.metric),
            .x = axis_over(panel.parameter, places),
            .y = {.title = with_unit(panel.metric)}};
  if (!panel.measured) plot.x.marks = marks_at(std::move(places));
  for (std::size_t i = 0; i < panel.lines.size(); ++i) plot.lines.push_back(line_of(panel, i));
  if (panel.baseline != nullptr)
    plot.levels.push_back({.at = *panel.level.mean, .name = panel.baseline->label + " (baseline)"});
  return plot;
}

}  // namespace

void add_line(std::vector<SweepPanel>& panels, const SweepPanel& empty, SweepLine line) {
  const auto shares = [&](const SweepPanel& panel) {
    return panel.metric.name == empty.metric.name && panel.parameter == empty.parameter &&
           comparable_arms(panel.metric.comparable_across, *line.spots.front().arm,
                           *panel.lines.front().spots.front().arm);
  };
  auto panel = std::ranges::find_if(panels, shares);
  if (panel == panels.end()) panel = panels.insert(panel, empty);
  panel->lines.push_back(std::move(line));
}

Figure sweep_figure(std::string name, std::string caption, const std::vector<SweepPanel>& panels,
                    const std::string& paper, bool intervals) {
  Figure figure{.name = std::move(name), .caption = std::move(caption)};
  for (const SweepPanel& panel : panels) {
    figure.plots.push_back(plot_of(panel));
    figure.plots.back().paper = {paper, true, intervals ? caption_of(panel) : figure.caption,
                                 csv_of(panel)};
  }
  return figure;
}

}  // namespace ablate::reports
