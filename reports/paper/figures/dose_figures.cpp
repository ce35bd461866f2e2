#include "reports/paper/figures/dose_figures.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/base/utf8.h"
#include "reports/analysis/comparisons/headline_metrics.h"
#include "reports/figures/dynamics/dynamics_data.h"
#include "reports/figures/dynamics/dynamics_plot.h"
#include "reports/figures/probes/curve_plots.h"
#include "reports/figures/sweeps/sweep_data.h"
#include "reports/figures/sweeps/sweep_plot.h"
#include "reports/figures/sweeps/tuning_panels.h"
#include "reports/figures/temperatures/entropy_plot.h"
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
                                    braced(with_unit(*panel.metric)), legend_above(venue, longest));
  if (is_logarithmic(values)) options += "xmode=log,\n";
  if (values.size() <= kMaxTicks)
    options += fmt::format("xtick={{{}}}, xticklabels={{{}}}, minor x tick num=0,\n",
                           fmt::join(places, ","), fmt::join(labels, ","));
  return options;
}

std::string line_tex(const SweepLine& line, std::size_t series) {
  std::vector<PlotPoint> mean, low, high;
  for (const SweepSpot& spot : line.spots) {
    const double at = *spot.seen->mean;
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
  if (panel.level != nullptr) {
    const std::set<double> values = swept_values(panel);
    out += fmt::format("\\addplot[ablate level] coordinates {{{}}};\n\\addlegendentry{}\n",
                       coordinates({{*values.begin(), *panel.level->mean},
                                    {*values.rbegin(), *panel.level->mean}}),
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
      csv.text(panel.metric->name).number(spot.seen->mean);
      csv.number(interval ? Number(interval->low) : Number());
      csv.number(interval ? Number(interval->high) : Number()).number(spot.seen->n).end();
    }
  return csv.str();
}

/// A figure for each panel, named NAME-1, NAME-2 and so on. `drawn`: the panels as SVG.
std::vector<PaperFigure> figures_of(const std::vector<SweepPanel>& panels,
                                    const std::vector<std::string>& drawn, std::string_view name,
                                    const Venue& venue) {
  std::vector<PaperFigure> figures;
  for (const SweepPanel& panel : panels) {
    const bool logarithmic = is_logarithmic(swept_values(panel));
    figures.push_back(
        {fmt::format("{}-{}", name, figures.size() + 1),
         fmt::format("{} by {}{}: the mean over seeds, and {}.{}", arrowed(*panel.metric),
                     panel.parameter, logarithmic ? " (logarithmic)" : "",
                     panel.together
                         ? "a band that covers all means of a line at once with 95 % (t-intervals, "
                           "by Bonferroni's inequality over its values)"
                         : "its 95 % t-interval as a band, at each value by itself",
                     panel.baseline != nullptr ? " Dotted: the baseline's mean." : ""),
         panel_tex(panel, venue), panel_csv(panel), drawn.at(figures.size())});
  }
  return figures;
}

}  // namespace

std::vector<PaperFigure> dose_figures(const Analysis& analysis, const Venue& venue) {
  return figures_of(sweep_panels(analysis), sweep_plots(analysis).panels, "dose", venue);
}

std::vector<PaperFigure> dynamics_figures(const Analysis& analysis,
                                          const std::vector<Course>& courses, const Venue& venue) {
  const std::vector<SweepPanel> all = dynamics_panels(courses);
  const std::vector<std::string> plots = dynamics_plots(courses).panels;
  const std::vector<const MetricRow*> headlines = headline_metrics(analysis);
  std::vector<SweepPanel> panels;
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::find(headlines.begin(), headlines.end(), all[i].metric) == headlines.end()) continue;
    panels.push_back(all[i]);
    drawn.push_back(plots.at(i));
  }
  return figures_of(panels, drawn, "dynamics", venue);
}

std::vector<PaperFigure> entropy_figures(const std::vector<EntropyCurve>& curves,
                                         const Venue& venue) {
  const std::vector<SweepPanel> panels = entropy_panels(curves);
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < panels.size(); ++i)
    drawn.push_back(draw_sweep(panels[i], fmt::format("entropy-{}", i)));
  return figures_of(panels, drawn, "entropy", venue);
}

std::vector<PaperFigure> tuning_figures(const TuningRecord& record, const Analysis& analysis,
                                        const Venue& venue) {
  const TuningPanels rates = rate_panels(record, analysis);
  std::vector<std::string> drawn;
  for (const SweepPanel& panel : rates.panels)
    drawn.push_back(draw_sweep(panel, fmt::format("paper-rates-{}", drawn.size())));
  std::vector<PaperFigure> figures = figures_of(rates.panels, drawn, "rates", venue);
  for (PaperFigure& figure : figures)
    figure.caption = fmt::format(
        "{} on the development part, by learning rate: the mean over tuning seeds, and "
        "its 95 % t-interval as a band, at each rate by itself. Rates at which a trial "
        "diverged are left out.",
        arrowed(record.criterion));
  const TuningPanels best = expected_best_panels(record, analysis);
  for (PaperFigure& figure : figures_of(best.panels, expected_best_figure(record, analysis).panels,
                                        "expected-best", venue)) {
    figure.caption = expected_best_caption(record);
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<PaperFigure> curve_figures_of_probes(const Analysis& analysis,
                                                 const std::vector<SettingCurve>& curves,
                                                 const Venue& venue) {
  std::vector<const MetricRow*> metrics;
  for (const MetricRow& metric : analysis.metrics) metrics.push_back(&metric);
  const std::vector<SweepPanel> panels = curve_panels(curves, metrics);
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < panels.size(); ++i)
    drawn.push_back(draw_sweep(panels[i], fmt::format("along-{}", i)));
  return figures_of(panels, drawn, "along", venue);
}

}  // namespace ablate::reports
