#include "reports/paper/figures/task_figures.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/utf8.h"
#include "reports/figures/tasks/rank_layout.h"
#include "reports/figures/tasks/task_figures.h"
#include "reports/text/csv_writer.h"
#include "reports/text/latex.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kLineInches = 0.17;
constexpr std::size_t kRankCharacters = 20;  // of a name in the diagram

std::string profiles_tex(const TaskComparison& comparison, const Venue& venue) {
  std::size_t longest = 0;
  for (const TaskSummary& summary : comparison.arms)
    longest = std::max(longest, std::min(characters(summary.arm->label), kNameCharacters));
  const AxisSize size{1 - fraction_of_width(venue, 9), 0.42};
  std::string out = begin_axis(
      venue, size,
      fmt::format("xlabel={{score}}, ylabel={{fraction of runs above}}, xmin=0, xmax=1, ymin=0, "
                  "ymax=1, xmajorgrids, ymajorgrids,\n{}",
                  legend_above(venue, longest)));
  for (std::size_t arm = 0; arm < comparison.arms.size(); ++arm) {
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < comparison.thresholds.size(); ++i)
      points.push_back({comparison.thresholds[i], comparison.profiles[arm][i]});
    out += series_line(points, arm, arm_label(comparison.arms[arm].arm->label, kNameCharacters));
  }
  return out + end_axis();
}

std::string profiles_csv(const TaskComparison& comparison) {
  Csv csv({"arm", "score", "fraction_above"});
  using Number = std::optional<double>;
  for (std::size_t arm = 0; arm < comparison.arms.size(); ++arm)
    for (std::size_t i = 0; i < comparison.thresholds.size(); ++i)
      csv.text(comparison.arms[arm].arm->name)
          .number(Number(comparison.thresholds[i]))
          .number(Number(comparison.profiles[arm][i]))
          .end();
  return csv.str();
}

/// An elbow from the axis to a name at a side; lines are below each other from 1 on.
std::string label_tex(const RankLabel& label, double height, std::size_t arms) {
  const double end = label.left ? 1 : static_cast<double>(arms);
  return fmt::format(
      "\\addplot[ablate together] coordinates {{{}}};\n"
      "\\node[anchor={}, xshift={}3pt] at (axis cs:{},{}) {{{} (${:.2f}$)}};\n",
      coordinates({{label.rank, 0}, {label.rank, height}, {end, height}}),
      label.left ? "east" : "west", label.left ? "-" : "", coordinate(end), coordinate(height),
      latex_text(label.name), label.rank);
}

std::string ranks_tex(const TaskComparison& comparison, const Venue& venue) {
  const RankLayout layout = rank_layout(comparison, kRankCharacters);
  const std::size_t arms = comparison.arms.size();
  std::size_t longest = 0;
  for (const RankLabel& label : layout.labels) longest = std::max(longest, characters(label.name));
  const double first = 0.6 * layout.bar_lines + 0.9;
  const double lines = first + layout.label_lines - 0.5;
  const AxisSize size{std::max(0.25, 1 - 2 * fraction_of_width(venue, longest + 8)),
                      kLineInches * lines / width_in_inches(venue)};
  std::string out = begin_axis(
      venue, size,
      fmt::format("y dir=reverse, ymin=0, ymax={}, xmin=1, xmax={}, xtick distance=1, "
                  "ytick=\\empty,\naxis x line*=top, axis y line=none, enlarge y limits=false, "
                  "clip=false,\n",
                  coordinate(lines), arms));
  for (const RankLabel& label : layout.labels) out += label_tex(label, first + label.line, arms);
  for (const RankBar& bar : layout.bars) {
    const double height = 0.5 + 0.6 * bar.line;
    out += fmt::format("\\addplot[ablate joined] coordinates {{{}}};\n",
                       coordinates({{bar.from - 0.03, height}, {bar.to + 0.03, height}}));
  }
  return out + end_axis();
}

std::string ranks_csv(const TaskComparison& comparison) {
  Csv csv({"arm", "mean_rank", "interquartile_mean", "low", "high", "other", "p_adjusted"});
  using Number = std::optional<double>;
  for (std::size_t i = 0; i < comparison.arms.size(); ++i)
    for (std::size_t j = 0; j < comparison.arms.size(); ++j) {
      if (i == j) continue;
      const TaskSummary& summary = comparison.arms[i];
      csv.text(summary.arm->name).number(Number(comparison.mean_ranks[i]));
      csv.number(Number(summary.interquartile)).number(Number(summary.around.low));
      csv.number(Number(summary.around.high)).text(comparison.arms[j].arm->name);
      csv.number(Number(comparison.ranks->p_adjusted[i][j])).end();
    }
  return csv.str();
}

}  // namespace

std::vector<PaperFigure> task_figures(const std::optional<TaskComparison>& comparison,
                                      const Venue& venue) {
  if (!comparison) return {};
  std::vector<PaperFigure> figures = {{"profiles", profiles_caption(*comparison),
                                       profiles_tex(*comparison, venue), profiles_csv(*comparison),
                                       performance_profiles(comparison).panels.front()}};
  if (comparison->ranks)
    figures.push_back({"ranks", ranks_caption(*comparison), ranks_tex(*comparison, venue),
                       ranks_csv(*comparison), rank_diagram(comparison).panels.front()});
  return figures;
}

}  // namespace ablate::reports
