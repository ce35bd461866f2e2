#include "reports/figures/seed_lines.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "reports/analysis/compare.h"
#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxSeeds = 12;
constexpr std::size_t kMaxArms = 20;
constexpr double kWidth = 460;
constexpr double kLeft = 52;
constexpr double kRight = 16;
constexpr double kTop = 26;
constexpr double kPlot = 220;
constexpr double kBar = 0.2;        // half the length of a mean's bar, in arms
constexpr double kCharacter = 6.9;  // pixels, about

std::set<std::int64_t> seeds_in(const std::vector<const ArmResult*>& arms,
                                const std::string& metric) {
  std::set<std::int64_t> seeds;
  for (const ArmResult* arm : arms)
    for (std::size_t i = 0; i < arm->trials.size(); ++i)
      if (arm->metrics.at(metric).values[i]) seeds.insert(arm->trials[i]->seed);
  return seeds;
}

/// Places of arms from left to right.
double place_of(std::size_t index, std::size_t arms) {
  const double step = (kWidth - kLeft - kRight) / static_cast<double>(arms);
  return kLeft + step * (static_cast<double>(index) + .5);
}

void draw_levels(Svg& svg, const Scale& y) {
  const std::vector<double> levels = ticks(y, 5);
  for (const double level : levels) {
    svg.line({kLeft, y(level)}, {kWidth - kRight, y(level)}, "grid");
    svg.text({kLeft - 7, y(level) + 4}, Anchor::end, "tick", tick_text(level, levels));
  }
  svg.line({kLeft, y.from}, {kWidth - kRight, y.from}, "axis");
}

/// Names below the axis, alternately in two lines where they would touch.
void draw_names(Svg& svg, const std::vector<const ArmResult*>& arms, double bottom) {
  const double room = (kWidth - kLeft - kRight) / static_cast<double>(arms.size());
  const auto characters =
      static_cast<std::size_t>(std::max(6.0, (arms.size() > 2 ? 2 : 1) * room / kCharacter - 1));
  for (std::size_t i = 0; i < arms.size(); ++i)
    svg.text({place_of(i, arms.size()), bottom + 18 + (arms.size() > 2 && i % 2 == 1 ? 14 : 0)},
             Anchor::middle, "tick", arm_label(arms[i]->label, characters));
}

void draw_seeds(Svg& svg, const std::vector<const ArmResult*>& arms, const std::string& metric,
                const Scale& y) {
  std::map<std::int64_t, std::vector<Point>> lines;
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (std::size_t j = 0; j < arms[i]->trials.size(); ++j)
      if (const auto value = arms[i]->metrics.at(metric).values[j])
        lines[arms[i]->trials[j]->seed].push_back({place_of(i, arms.size()), y(*value)});
  for (const auto& [seed, points] : lines) {
    svg.path(points, "together");
    for (const Point& point : points) svg.dot(point, 3, "seed");
  }
}

void draw_means(Svg& svg, const std::vector<const ArmResult*>& arms, const std::string& metric,
                const Scale& y) {
  const double step = (kWidth - kLeft - kRight) / static_cast<double>(arms.size());
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const double height = y(*arms[i]->metrics.at(metric).mean);
    const double x = place_of(i, arms.size());
    svg.line({x - kBar * step, height}, {x + kBar * step, height}, "mean c0");
  }
}

Scale scale_of(const std::vector<const ArmResult*>& arms, const std::string& metric) {
  std::vector<double> values;
  for (const ArmResult* arm : arms)
    for (const auto& value : arm->metrics.at(metric).values)
      if (value) values.push_back(*value);
  return scale_over(values, kTop + kPlot, kTop, 0.06);
}

std::string describe(const std::vector<const ArmResult*>& arms, const std::string& metric) {
  std::string text;
  for (const ArmResult* arm : arms) {
    const Estimate& seen = arm->metrics.at(metric);
    text += fmt::format("{}: {}. ", arm->label, rounded(*seen.mean, seen.interval).text());
  }
  return text;
}

}  // namespace

std::vector<const ArmResult*> arms_by_seed(const Analysis& analysis) {
  std::vector<const ArmResult*> arms;
  const MetricRow* const metric = analysis.metric(analysis.primary);
  const ArmResult* const baseline = analysis.baseline();
  if (metric == nullptr || baseline == nullptr) return arms;
  for (const ArmResult& arm : analysis.arms) {
    const auto found = arm.metrics.find(metric->name);
    if (found != arm.metrics.end() && found->second.n > 0 &&
        comparable_arms(metric->comparable_across, arm, *baseline))
      arms.push_back(&arm);
  }
  if (arms.size() < 2 || arms.size() > kMaxArms || seeds_in(arms, metric->name).size() > kMaxSeeds)
    arms.clear();
  return arms;
}

std::string seed_caption(const MetricRow& metric) {
  return fmt::format(
      "{} of every trial, by arm: a line joins the trials of a seed, and a bar is the mean.",
      arrowed(metric));
}

Figure seed_lines(const Analysis& analysis) {
  Figure figure{.name = "seeds"};
  const std::vector<const ArmResult*> arms = arms_by_seed(analysis);
  if (arms.empty()) return figure;
  const MetricRow& metric = *analysis.metric(analysis.primary);
  figure.caption = seed_caption(metric);
  const Scale y = scale_of(arms, metric.name);
  Svg svg("seed-lines", kWidth, kTop + kPlot + 42, fmt::format("{} by seed", metric.label),
          describe(arms, metric.name));
  svg.text(
      {4, 12}, Anchor::start, "heading",
      fmt::format("{}{}", arrowed(metric), metric.unit.empty() ? "" : " (" + metric.unit + ")"));
  draw_levels(svg, y);
  draw_seeds(svg, arms, metric.name, y);
  draw_means(svg, arms, metric.name, y);
  draw_names(svg, arms, kTop + kPlot);
  figure.panels.push_back(svg.str());
  return figure;
}

}  // namespace ablate::reports
