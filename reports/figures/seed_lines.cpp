#include "reports/figures/seed_lines.h"

#include <fmt/core.h>

#include <map>
#include <set>

#include "reports/analysis/compare.h"
#include "reports/figures/plots.h"
#include "reports/tables/table.h"
#include "reports/text/csv_writer.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxSeeds = 12;
constexpr std::size_t kMaxArms = 20;
constexpr double kBar = 0.3;  // half the length of a mean's bar, in arms

std::set<std::int64_t> seeds_in(const std::vector<const ArmResult*>& arms,
                                const std::string& metric) {
  std::set<std::int64_t> seeds;
  for (const ArmResult* arm : arms)
    for (std::size_t i = 0; i < arm->trials.size(); ++i)
      if (arm->metrics.at(metric).values[i]) seeds.insert(arm->trials[i]->seed);
  return seeds;
}

/// The arms whose primary metric can be drawn by seed: those that may be compared with the baseline,
/// and the baseline. Empty below two, with more than 12 seeds, whose lines cannot be told apart, and
/// with more than 20 arms, whose names have no room.
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

/// A line for each seed that joins its trials by arm.
std::vector<PlotLine> lines_by_seed(const std::vector<const ArmResult*>& arms,
                                    const std::string& metric) {
  std::map<std::int64_t, PlotLine> seeds;
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (std::size_t j = 0; j < arms[i]->trials.size(); ++j)
      if (const auto value = arms[i]->metrics.at(metric).values[j]) {
        PlotLine& line = seeds[arms[i]->trials[j]->seed];
        line.kind = LineKind::pair;
        line.x.push_back(static_cast<double>(i + 1));
        line.y.push_back(*value);
        line.dots.push_back({line.x.back(), *value});
      }
  std::vector<PlotLine> lines;
  lines.reserve(seeds.size());
  for (auto& [seed, line] : seeds) lines.push_back(std::move(line));
  return lines;
}

PlotLine bar_at(std::size_t place, double mean) {
  const auto at = static_cast<double>(place);
  return {.kind = LineKind::bar, .x = {at - kBar, at + kBar}, .y = {mean, mean}};
}

std::string describe(const std::vector<const ArmResult*>& arms, const std::string& metric) {
  std::string text;
  for (const ArmResult* arm : arms) {
    const Estimate& seen = arm->metrics.at(metric);
    text += fmt::format("{}: {}. ", arm->label, rounded(*seen.mean, seen.interval).text());
  }
  return text;
}

std::string csv_of(const std::vector<const ArmResult*>& arms, const std::string& metric) {
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

Figure seed_lines(const Analysis& analysis) {
  Figure figure{.name = "seeds"};
  const std::vector<const ArmResult*> arms = arms_by_seed(analysis);
  if (arms.empty()) return figure;
  const MetricRow& metric = *analysis.metric(analysis.primary);
  figure.caption = fmt::format(
      "{} of every trial, by arm: a line joins the trials of a seed, and a bar is the mean.",
      arrowed(metric));
  Plot plot{.title = fmt::format("{} by seed", metric.label),
            .description = describe(arms, metric.name),
            .heading = heading_of(metric),
            .x = {.kind = AxisKind::places},
            .y = {.title = with_unit(metric)},
            .lines = lines_by_seed(arms, metric.name)};
  for (const ArmResult* arm : arms) {
    plot.x.marks.push_back({static_cast<double>(plot.x.marks.size() + 1), arm->label});
    plot.lines.push_back(bar_at(plot.x.marks.size(), *arm->metrics.at(metric.name).mean));
  }
  plot.paper = {"seeds", false, figure.caption, csv_of(arms, metric.name)};
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace ablate::reports
