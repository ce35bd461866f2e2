#include "reports/figures/tasks/task_figures.h"

#include <fmt/core.h>

#include "reports/figures/tasks/rank_layout.h"
#include "reports/text/csv_writer.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kNameCharacters = 18;
constexpr double kFirstBar = 0.6, kBetweenBars = 0.6;  // in lines of text
constexpr double kBelowBars = 1;
constexpr double kBeyond = 0.03;  // a bar's ends, in ranks

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

std::string describe_ranks(const RankLayout& layout) {
  std::string text;
  for (const RankLabel& label : layout.labels)
    text += fmt::format("{}: {:.2f}. ", label.name, label.rank);
  return text;
}

/// Between a rank on the axis and a side, where the name stands.
PlotLine elbow_of(const RankLabel& label, double first, double arms) {
  const double height = first + label.line;
  const LineEnd name{fmt::format("{} ({:.2f})", label.name, label.rank)};
  if (label.left)
    return {.kind = LineKind::pair,
            .x = {1, label.rank, label.rank},
            .y = {height, height, 0},
            .before = name};
  return {.kind = LineKind::pair,
          .x = {label.rank, label.rank, arms},
          .y = {0, height, height},
          .after = name};
}

PlotLine bar_of(const RankBar& bar) {
  const double height = kFirstBar + kBetweenBars * bar.line;
  return {
      .kind = LineKind::joint, .x = {bar.from - kBeyond, bar.to + kBeyond}, .y = {height, height}};
}

PlotAxis rank_axis(std::size_t arms) {
  PlotAxis axis{.ends = statistics::Interval{1, static_cast<double>(arms)}};
  for (std::size_t rank = 1; rank <= arms; ++rank)
    axis.marks.push_back({static_cast<double>(rank), std::to_string(rank)});
  return axis;
}

}  // namespace

Figure performance_profiles(const std::optional<TaskComparison>& comparison) {
  Figure figure{.name = "profiles"};
  if (!comparison) return figure;
  figure.caption = fmt::format(
      "Performance profiles over {} tasks: for each score, the fraction of an arm's runs that "
      "reach more, as a mean over tasks. A line above another is better at that score.",
      comparison->tasks.size());
  const statistics::Interval fractions{0, 1};
  Plot plot{.title = "Performance profiles",
            .heading = "fraction of runs with a higher score",
            .x = {.title = "score", .ends = fractions},
            .y = {.title = "fraction of runs above", .ends = fractions},
            .paper = {"profiles", false, figure.caption, profiles_csv(*comparison)}};
  for (std::size_t arm = 0; arm < comparison->arms.size(); ++arm) {
    const TaskSummary& summary = comparison->arms[arm];
    plot.description +=
        fmt::format("{}: interquartile mean {:.3f}. ", summary.arm->label, summary.interquartile);
    plot.lines.push_back({.name = summary.arm->label,
                          .series = arm,
                          .x = comparison->thresholds,
                          .y = comparison->profiles[arm]});
  }
  figure.plots.push_back(std::move(plot));
  return figure;
}

Figure rank_diagram(const std::optional<TaskComparison>& comparison) {
  Figure figure{.name = "ranks"};
  if (!comparison || !comparison->ranks) return figure;
  figure.caption = fmt::format(
      "Mean ranks over {} tasks, 1 the best. A bar joins arms of which no two are told apart "
      "(exact "
      "signed-rank test over tasks, adjusted by Holm's method). An arm that ranks within a bar "
      "need "
      "not belong to it: the table names the groups.",
      comparison->tasks.size());
  const RankLayout layout = rank_layout(*comparison, kNameCharacters);
  const std::size_t arms = comparison->arms.size();
  const double first = kBetweenBars * layout.bar_lines + kBelowBars;
  Plot plot{.title = "Mean ranks over tasks",
            .description = describe_ranks(layout),
            .x = rank_axis(arms),
            .y = {.kind = AxisKind::lines,
                  .ends = statistics::Interval{0, first + layout.label_lines - 0.5}},
            .paper = {"ranks", false, figure.caption, ranks_csv(*comparison)}};
  for (const RankLabel& label : layout.labels)
    plot.lines.push_back(elbow_of(label, first, static_cast<double>(arms)));
  for (const RankBar& bar : layout.bars) plot.lines.push_back(bar_of(bar));
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace ablate::reports
