#include "reports/paper/figures/plot_figures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/utf8.h"
#include "reports/figures/sweeps/sweep_plot.h"
#include "reports/tables/table.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxTicks = 9;

std::set<double> swept_values(const SweepPanel& panel) {
  std::set<double> values;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) values.insert(spot.value);
  return values;
}

bool is_logarithmic(const std::set<double>& values) {
  return *values.begin() > 0 && *values.rbegin() > 10 * *values.begin();
}

/// Ticks at the swept values themselves, where they are few.
std::string axis_options(const SweepPanel& panel, const Venue& venue) {
  const std::set<double> values = swept_values(panel);
  std::vector<std::string> places, labels;
  for (const double value : values) {
    places.push_back(coordinate(value));
    labels.push_back(std::abs(value) >= 1000 ? amount(value) : significant(value, 4));
  }
  std::size_t longest = 10;  // "(baseline)"
  for (const SweepLine& line : panel.lines)
    longest = std::max(longest, std::min(characters(line.name), kNameCharacters));
  std::string options = fmt::format("xlabel={}, ylabel={},\n{}", braced(panel.parameter),
                                    braced(with_unit(panel.metric)), legend_above(venue, longest));
  if (is_logarithmic(values)) options += "xmode=log,\n";
  if (values.size() <= kMaxTicks)
    options += fmt::format("xtick={{{}}}, xticklabels={{{}}}, minor x tick num=0,\n",
                           fmt::join(places, ","), fmt::join(labels, ","));
  return options;
}

std::string line_tex(const SweepLine& line, std::size_t series) {
  std::vector<PlotPoint> mean, low, high;
  for (const SweepSpot& spot : line.spots) {
    const double at = *spot.seen.mean;
    const auto& interval = band_of(spot);
    mean.push_back({spot.value, at});
    low.push_back({spot.value, interval ? interval->low : at});
    high.push_back({spot.value, interval ? interval->high : at});
  }
  return band(low, high, series) + series_line(mean, series, arm_label(line.name, kNameCharacters));
}

std::string panel_tex(const SweepPanel& panel, const Venue& venue) {
  const AxisSize size{1 - fraction_of_width(venue, 10), 0.45};
  std::string out = begin_axis(venue, size, axis_options(panel, venue));
  for (std::size_t i = 0; i < panel.lines.size(); ++i) out += line_tex(panel.lines[i], i);
  if (panel.baseline != nullptr) {
    const std::set<double> values = swept_values(panel);
    out += fmt::format(
        "\\addplot[ablate level] coordinates {{{}}};\n\\addlegendentry{}\n",
        coordinates({{*values.begin(), *panel.level.mean}, {*values.rbegin(), *panel.level.mean}}),
        braced(arm_label(panel.baseline->label, kNameCharacters) + " (baseline)"));
  }
  return out + end_axis();
}

std::string panel_csv(const SweepPanel& panel) {
  Csv csv({"family", "arm", "parameter", "value", "metric", "mean", "low", "high", "n"});
  using Number = std::optional<double>;
  for (const SweepLine& line : panel.lines)
    for (const SweepSpot& spot : line.spots) {
      const auto& interval = band_of(spot);
      csv.text(line.name).text(spot.arm->name).text(panel.parameter).number(Number(spot.value));
      csv.text(panel.metric.name).number(spot.seen.mean);
      csv.number(interval ? Number(interval->low) : Number());
      csv.number(interval ? Number(interval->high) : Number()).number(spot.seen.n).end();
    }
  return csv.str();
}

std::string caption_of(const SweepPanel& panel) {
  const bool logarithmic = is_logarithmic(swept_values(panel));
  return fmt::format("{} by {}{}: the mean over seeds, and {}.{}", arrowed(panel.metric),
                     panel.parameter, logarithmic ? " (logarithmic)" : "",
                     panel.together
                         ? "a band that covers all means of a line at once with 95 % (t-intervals, "
                           "by Bonferroni's inequality over its values)"
                         : "its 95 % t-interval as a band, at each value by itself",
                     panel.baseline != nullptr ? " Dotted: the baseline's mean." : "");
}

}  // namespace

std::vector<PaperFigure> plot_figures(const PaperPlots& plots, const Venue& venue) {
  std::vector<PaperFigure> figures;
  for (const SweepPanel& panel : plots.panels)
    figures.push_back({fmt::format("{}-{}", plots.name, figures.size() + 1),
                       plots.caption.empty() ? caption_of(panel) : plots.caption,
                       panel_tex(panel, venue), panel_csv(panel), draw_sweep(panel)});
  return figures;
}

}  // namespace ablate::reports
