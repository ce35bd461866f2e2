#include "reports/figures/sweeps/sweep_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 460;
constexpr double kPlot = 212;  // height between the axes' ends
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kHeading = 28;
constexpr double kName = 16;  // height of a line's name
constexpr double kBottom = 44;
constexpr double kCharacter = 6.9;  // pixels, about

/// The numbers that the axes must hold.
struct Range {
  std::vector<double> across, upwards;
};

Range range_of(const SweepPanel& panel) {
  Range range;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) {
      range.across.push_back(spot.value);
      for (const auto& value : spot.seen.values)
        if (value) range.upwards.push_back(*value);
      if (const auto& interval = band_of(spot))
        range.upwards.insert(range.upwards.end(), {interval->low, interval->high});
    }
  if (panel.baseline != nullptr) range.upwards.push_back(*panel.level.mean);
  return range;
}

/// Marks the swept values themselves, but for labels that would overlap.
void draw_values(Svg& svg, const Scale& x, double bottom, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  double free = 0;  // the pixel from which no label stands
  for (const double value : values) {
    svg.line({x(value), bottom}, {x(value), bottom + 4}, "axis");
    const std::string label = std::abs(value) >= 1000 ? amount(value) : significant(value, 4);
    const double half_width = kCharacter * static_cast<double>(label.size()) / 2;
    if (x(value) - half_width < free) continue;
    svg.text({x(value), bottom + 17}, Anchor::middle, "tick", label);
    free = x(value) + half_width + 4;
  }
}

void draw_axes(Svg& svg, const SweepPanel& panel, const Range& range, const Scale& x,
               const Scale& y) {
  const std::vector<double> levels = ticks(y, 5);
  for (const double level : levels) {
    svg.line({kLeft, y(level)}, {kWidth - kRight, y(level)}, "grid");
    svg.text({kLeft - 7, y(level) + 4}, Anchor::end, "tick", tick_text(level, levels));
  }
  draw_values(svg, x, y.from, panel.measured ? ticks(x, 6) : range.across);
  svg.line({kLeft, y.from}, {kWidth - kRight, y.from}, "axis");
  svg.text({(kLeft + kWidth - kRight) / 2, y.from + 36}, Anchor::middle, "label",
           fmt::format("{}{}", panel.parameter, x.logarithmic ? " (logarithmic)" : ""));
  const MetricRow& metric = panel.metric;
  svg.text(
      {4, 12}, Anchor::start, "heading",
      fmt::format("{}{}", arrowed(metric), metric.unit.empty() ? "" : " (" + metric.unit + ")"));
}

/// The names of the lines and of the baseline, above the drawing.
void draw_names(Svg& svg, const SweepPanel& panel) {
  double y = kHeading;
  const auto draw = [&](const std::string& classes, const std::string& name) {
    svg.line({kLeft, y}, {kLeft + 26, y}, classes);
    svg.text({kLeft + 32, y + 4}, Anchor::start, "name", name);
    y += kName;
  };
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    draw("curve " + series_class(i), arm_label(panel.lines[i].name, 50));
  if (panel.baseline != nullptr)
    draw("level", arm_label(panel.baseline->label, 40) + " (baseline)");
}

void draw_line(Svg& svg, const SweepLine& line, const std::string& series, const Scale& x,
               const Scale& y) {
  std::vector<Point> means, outline;
  for (const SweepSpot& spot : line.spots) {
    means.push_back({x(spot.value), y(*spot.seen.mean)});
    const auto& interval = band_of(spot);
    outline.push_back({x(spot.value), y(interval ? interval->low : *spot.seen.mean)});
  }
  for (auto spot = line.spots.rbegin(); spot != line.spots.rend(); ++spot) {
    const auto& interval = band_of(*spot);
    outline.push_back({x(spot->value), y(interval ? interval->high : *spot->seen.mean)});
  }
  svg.area(outline, "band " + series);
  svg.path(means, "curve " + series);
  for (const SweepSpot& spot : line.spots)
    for (const auto& value : spot.seen.values)
      if (value) svg.dot({x(spot.value), y(*value)}, 2.6, "seed " + series);
}

/// The baseline's mean as a level, and a diamond where it is one of the arms drawn.
void draw_baseline(Svg& svg, const SweepPanel& panel, const Scale& x, const Scale& y) {
  if (panel.baseline == nullptr) return;
  const double height = y(*panel.level.mean);
  svg.line({kLeft, height}, {kWidth - kRight, height}, "level");
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots)
      if (spot.arm == panel.baseline) svg.diamond({x(spot.value), height}, 6, "reference");
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

}  // namespace

std::string draw_sweep(const SweepPanel& panel) {
  const Range range = range_of(panel);
  const Scale x = wide_scale_over(range.across, kLeft, kWidth - kRight, 0.04);
  const std::size_t names = panel.lines.size() + (panel.baseline != nullptr ? 1 : 0);
  const double top = kHeading + kName * static_cast<double>(names);
  const Scale y = scale_over(range.upwards, top + kPlot, top, 0.05);
  Svg svg(panel.id, kWidth, top + kPlot + kBottom,
          fmt::format("{} by {}", panel.metric.label, panel.parameter), describe(panel));
  draw_axes(svg, panel, range, x, y);
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    draw_line(svg, panel.lines[i], series_class(i), x, y);
  draw_baseline(svg, panel, x, y);
  draw_names(svg, panel);
  return svg.str();
}

Figure draw_sweeps(std::string name, std::string caption, std::vector<SweepPanel>& panels) {
  Figure figure{.name = std::move(name), .caption = std::move(caption)};
  name_panels(figure.name, panels);
  for (const SweepPanel& panel : panels) figure.panels.push_back(draw_sweep(panel));
  return figure;
}

}  // namespace ablate::reports
