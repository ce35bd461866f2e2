#include "reports/figures/tasks/task_figures.h"

#include <fmt/core.h>

#include "reports/figures/svg.h"
#include "reports/figures/tasks/rank_layout.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr double kWidth = 460;
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kPlot = 220;
constexpr double kHeading = 28;
constexpr double kName = 16;
constexpr double kBottom = 44;

constexpr double kSide = 128;  // of names beside the axis of ranks
constexpr double kAxis = 36;   // from the top to the axis of ranks
constexpr double kBar = 9;
constexpr double kLabel = 20;
constexpr std::size_t kNameCharacters = 17;

void draw_axes(Svg& svg, const Scale& x, const Scale& y) {
  for (const double level : {0., .25, .5, .75, 1.}) {
    svg.line({kLeft, y(level)}, {kWidth - kRight, y(level)}, "grid");
    svg.text({kLeft - 7, y(level) + 4}, Anchor::end, "tick", fmt::format("{:g}", level));
  }
  for (const double mark : {0., .2, .4, .6, .8, 1.}) {
    svg.line({x(mark), y.from}, {x(mark), y.from + 4}, "axis");
    svg.text({x(mark), y.from + 17}, Anchor::middle, "tick", fmt::format("{:g}", mark));
  }
  svg.line({kLeft, y.from}, {kWidth - kRight, y.from}, "axis");
  svg.text({(kLeft + kWidth - kRight) / 2, y.from + 36}, Anchor::middle, "label", "score");
}

void draw_profile(Svg& svg, const TaskComparison& comparison, std::size_t arm, const Scale& x,
                  const Scale& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < comparison.thresholds.size(); ++i)
    points.push_back({x(comparison.thresholds[i]), y(comparison.profiles[arm][i])});
  svg.path(points, "curve " + series_class(arm));
  const double height = kHeading + kName * static_cast<double>(arm);
  svg.line({kLeft, height}, {kLeft + 26, height}, "curve " + series_class(arm));
  svg.text({kLeft + 32, height + 4}, Anchor::start, "name",
           arm_label(comparison.arms[arm].arm->label, 50));
}

std::string describe_ranks(const RankLayout& layout) {
  std::string text;
  for (const RankLabel& label : layout.labels)
    text += fmt::format("{}: {:.2f}. ", label.name, label.rank);
  return text;
}

void draw_rank_axis(Svg& svg, const Scale& x, std::size_t arms) {
  svg.line({x(1), kAxis}, {x(static_cast<double>(arms)), kAxis}, "axis");
  for (std::size_t rank = 1; rank <= arms; ++rank) {
    const double place = x(static_cast<double>(rank));
    svg.line({place, kAxis - 5}, {place, kAxis}, "axis");
    svg.text({place, kAxis - 10}, Anchor::middle, "tick", std::to_string(rank));
  }
}

void draw_rank_label(Svg& svg, const RankLabel& label, const Scale& x, double first) {
  const double height = first + kLabel * label.line;
  const double end = label.left ? kSide - 6 : kWidth - kSide + 6;
  svg.path({{x(label.rank), kAxis}, {x(label.rank), height}, {end, height}}, "together");
  svg.text({label.left ? end - 4 : end + 4, height + 4}, label.left ? Anchor::end : Anchor::start,
           "name", fmt::format("{} ({:.2f})", label.name, label.rank));
}

}  // namespace

std::string profiles_caption(const TaskComparison& comparison) {
  return fmt::format(
      "Performance profiles over {} tasks: for each score, the fraction of an arm's runs that "
      "reach "
      "more, as a mean over tasks. A line above another is better at that score.",
      comparison.tasks.size());
}

Figure performance_profiles(const std::optional<TaskComparison>& comparison) {
  Figure figure{.name = "profiles"};
  if (!comparison) return figure;
  figure.caption = profiles_caption(*comparison);
  const double top = kHeading + kName * static_cast<double>(comparison->arms.size());
  const Scale x{0, 1, kLeft, kWidth - kRight}, y{0, 1, top + kPlot, top};
  std::string description;
  for (const TaskSummary& summary : comparison->arms)
    description +=
        fmt::format("{}: interquartile mean {:.3f}. ", summary.arm->label, summary.interquartile);
  Svg svg("performance-profiles", kWidth, top + kPlot + kBottom, "Performance profiles",
          description);
  svg.text({4, 12}, Anchor::start, "heading", "fraction of runs with a higher score");
  draw_axes(svg, x, y);
  for (std::size_t i = 0; i < comparison->arms.size(); ++i) draw_profile(svg, *comparison, i, x, y);
  figure.panels.push_back(svg.str());
  return figure;
}

Figure rank_diagram(const std::optional<TaskComparison>& comparison) {
  Figure figure{.name = "ranks"};
  if (!comparison || !comparison->ranks) return figure;
  figure.caption = ranks_caption(*comparison);
  const RankLayout layout = rank_layout(*comparison, kNameCharacters);
  const std::size_t arms = comparison->arms.size();
  const Scale x{1, static_cast<double>(arms), kSide, kWidth - kSide};
  const double first = kAxis + 14 + kBar * layout.bar_lines + 8;
  Svg svg("rank-diagram", kWidth, first + kLabel * layout.label_lines, "Mean ranks over tasks",
          describe_ranks(layout));
  draw_rank_axis(svg, x, arms);
  for (const RankLabel& label : layout.labels) draw_rank_label(svg, label, x, first);
  for (const RankBar& bar : layout.bars) {
    const double height = kAxis + 12 + kBar * bar.line;
    svg.line({x(bar.from) - 4, height}, {x(bar.to) + 4, height}, "joined");
  }
  figure.panels.push_back(svg.str());
  return figure;
}

}  // namespace ablate::reports
