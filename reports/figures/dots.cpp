#include "reports/figures/dots.h"

#include <fmt/core.h>

#include <algorithm>

#include "reports/analysis/compare.h"
#include "reports/analysis/floors.h"
#include "reports/figures/plots.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

using Metrics = std::vector<const MetricRow*>;

/// The metrics of the group that `metric` is read against, such as its optimum and floor.
Metrics references_of(const MetricRow& metric, const Metrics& group) {
  Metrics result;
  for (const Bound& bound : bounds_of(metric)) {
    if (bound.terms.size() != 1 || bound.conversion != Conversion::none)
      continue;  // no metric by itself
    for (const MetricRow* other : group)
      if (other->name == bound.terms.front().first) result.push_back(other);
  }
  return result;
}

/// Whether the metric's values may be compared between all arms that have it.
bool side_by_side(const Analysis& analysis, const MetricRow& metric) {
  for (const ArmResult& arm : analysis.arms) {
    const Difference* difference = analysis.difference(arm.name, metric.name);
    if (difference != nullptr && difference->verdict == statistics::Verdict::incomparable)
      return false;
  }
  return true;
}

std::optional<double> mean_of(const ArmResult& arm, const std::string& metric) {
  const auto found = arm.metrics.find(metric);
  return found == arm.metrics.end() ? std::nullopt : found->second.mean;
}

PlotRow row_of(const ArmResult& arm, std::size_t index, const Estimate& seen,
               const Metrics& references) {
  PlotRow row{.name = arm.label,
              .mean = seen.mean,
              .interval = seen.interval,
              .dots = dots_of(seen),
              .series = index};
  for (const MetricRow* reference : references)
    row.references.push_back(mean_of(arm, reference->name));
  return row;
}

/// Without rows where no arm has values.
Plot plot_of(const Analysis& analysis, const MetricRow& metric, const Metrics& group) {
  const Metrics references = references_of(metric, group);
  Plot plot{.title = fmt::format("{} by arm", metric.label),
            .heading = heading_of(metric) +
                       (side_by_side(analysis, metric) ? "" : ": each row by itself")};
  for (const MetricRow* reference : references) plot.references.push_back(reference->label);
  bool values = false;
  for (std::size_t i = 0; i < analysis.arms.size(); ++i) {
    const ArmResult& arm = analysis.arms[i];
    const auto found = arm.metrics.find(metric.name);
    if (arm.pending() || found == arm.metrics.end()) continue;
    const Estimate& seen = found->second;
    plot.rows.push_back(row_of(arm, i, seen, references));
    values = values || seen.mean;
    if (seen.mean)
      plot.description +=
          fmt::format("{}: {}. ", arm.label, rounded(*seen.mean, seen.interval).text());
  }
  if (!values) plot.rows.clear();
  return plot;
}

}  // namespace

Figure dot_plots(const Analysis& analysis, const std::string& group,
                 const std::vector<const MetricRow*>& metrics) {
  Figure figure{.name = group + "-dots",
                .caption =
                    "A dot is a seed, the bar their mean, the line its 95 % t-interval; diamonds "
                    "are the values to compare the metric with."};
  std::int64_t most = 0;  // values of an arm
  for (const MetricRow* metric : metrics) {
    if (metric->better == Better::neither) continue;
    for (const ArmResult& arm : analysis.arms)
      if (const auto seen = arm.metrics.find(metric->name); seen != arm.metrics.end())
        most = std::max(most, seen->second.n);
    Plot plot = plot_of(analysis, *metric, metrics);
    if (!plot.rows.empty()) figure.plots.push_back(std::move(plot));
  }
  figure.caption += dots_note(most);
  return figure;
}

}  // namespace ablate::reports
