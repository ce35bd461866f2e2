#include "reports/paper/figures/seed_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/utf8.h"
#include "reports/figures/seed_lines.h"
#include "reports/text/csv_writer.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// The points of each seed, by arm from left to right.
std::map<std::int64_t, std::vector<PlotPoint>> points_by_seed(
    const std::vector<const ArmResult*>& arms, const std::string& metric) {
  std::map<std::int64_t, std::vector<PlotPoint>> seeds;
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (std::size_t j = 0; j < arms[i]->trials.size(); ++j)
      if (const auto& value = arms[i]->metrics.at(metric).values[j])
        seeds[arms[i]->trials[j]->seed].push_back({static_cast<double>(i + 1), *value});
  return seeds;
}

std::string name_options(const Venue& venue, const std::vector<const ArmResult*>& arms) {
  const std::size_t room = width_in_inches(venue) < 4 ? 16 : 26;
  std::string places, labels;
  std::size_t all = 0;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const std::string label = arm_label(arms[i]->label, room);
    places += fmt::format("{}{}", i > 0 ? "," : "", i + 1);
    labels += (i > 0 ? "," : "") + braced(label);
    all += characters(label) + 2;
  }
  const bool upright = fraction_of_width(venue, all) < 0.8;
  return fmt::format("xmin=0.5, xmax={}.5, xtick={{{}}},\nxticklabels={{{}}},\n{}", arms.size(),
                     places, labels,
                     upright ? "" : "x tick label style={rotate=40, anchor=north east},\n");
}

std::string seeds_csv(const std::vector<const ArmResult*>& arms, const std::string& metric) {
  Csv csv({"seed", "arm", "metric", "value"});
  for (const ArmResult* arm : arms)
    for (std::size_t i = 0; i < arm->trials.size(); ++i)
      csv.number(arm->trials[i]->seed)
          .text(arm->name)
          .text(metric)
          .number(arm->metrics.at(metric).values[i])
          .end();
  return csv.str();
}

}  // namespace

std::vector<PaperFigure> seed_figures(const Analysis& analysis, const Venue& venue) {
  const std::vector<const ArmResult*> arms = arms_by_seed(analysis);
  if (arms.empty()) return {};
  const MetricRow& metric = *analysis.metric(analysis.primary);
  const auto seeds = points_by_seed(arms, metric.name);
  std::string tex = begin_axis(
      venue, {1 - fraction_of_width(venue, 10), 0.42},
      fmt::format("ylabel={},\n{}", braced(with_unit(metric)), name_options(venue, arms)));
  for (const auto& [seed, points] : seeds)
    tex += fmt::format("\\addplot[ablate seed] coordinates {{{}}};% seed {}\n", coordinates(points),
                       seed);
  for (std::size_t i = 0; i < arms.size(); ++i)
    tex += fmt::format(
        "\\addplot[ablate mean] coordinates {{{}}};\n",
        coordinates({{static_cast<double>(i) + 0.8, *arms[i]->metrics.at(metric.name).mean},
                     {static_cast<double>(i) + 1.2, *arms[i]->metrics.at(metric.name).mean}}));
  return {{"seeds", seed_caption(metric), tex + end_axis(), seeds_csv(arms, metric.name),
           seed_lines(analysis).panels.front()}};
}

}  // namespace ablate::reports
