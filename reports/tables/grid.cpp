#include "reports/tables/grid.h"

#include <fmt/core.h>

#include <algorithm>

namespace ablate::reports {
namespace {

constexpr std::size_t kMaxMetricsAcross = 5;  // the width of a page
constexpr std::size_t kMaxArmsAcross = 6;

/// A list in parts of about equal size.
template <typename T>
std::vector<std::vector<T>> split(const std::vector<T>& list, std::size_t maximum) {
  const std::size_t count = (list.size() + maximum - 1) / maximum;
  std::vector<std::vector<T>> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](std::size_t part) {
      return list.begin() + static_cast<std::ptrdiff_t>(part * list.size() / count);
    };
    parts.emplace_back(at(i), at(i + 1));
  }
  return parts;
}

Table arms_downwards(const Grid& grid, const Metrics& metrics) {
  Table table{.columns = {{.title = "arm"}}};
  for (const MetricRow* metric : metrics) table.columns.push_back(column_of(*metric));
  for (const ArmResult* arm : grid.arms) {
    Row& row = table.rows.emplace_back(Row{.cells = {text_cell(arm->label)}});
    for (const MetricRow* metric : metrics) row.cells.push_back(grid.cell(*arm, *metric));
  }
  table.notes = grid.notes(metrics);
  return table;
}

Table metrics_downwards(const Grid& grid, const Arms& arms) {
  Table table{.columns = {{.title = "metric"}, {.title = "unit"}}, .alike = false};
  for (const ArmResult* arm : arms) table.columns.push_back({.title = arm->label, .numbers = true});
  for (const MetricRow* metric : grid.metrics) {
    const auto has = [&](const ArmResult* arm) { return arm->metrics.contains(metric->name); };
    if (std::none_of(arms.begin(), arms.end(), has)) continue;
    Row& row =
        table.rows.emplace_back(Row{.cells = {label_cell(*metric), text_cell(metric->unit)}});
    for (const ArmResult* arm : arms) row.cells.push_back(grid.cell(*arm, *metric));
  }
  return table;
}

}  // namespace

std::vector<Table> laid_out(const Grid& grid) {
  if (grid.metrics.empty() || grid.arms.empty()) return {};
  const auto by_metrics = split(grid.metrics, kMaxMetricsAcross);
  const auto by_arms = split(grid.arms, kMaxArmsAcross);
  std::vector<Table> tables;
  if (by_arms.size() < by_metrics.size()) {
    for (const Arms& part : by_arms) tables.push_back(metrics_downwards(grid, part));
    tables.back().notes = grid.notes(grid.metrics);
  } else {
    for (const Metrics& part : by_metrics) tables.push_back(arms_downwards(grid, part));
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables[i].name = fmt::format("{}-{}", grid.name, i + 1);
    tables[i].caption = grid.caption;
  }
  return tables;
}

}  // namespace ablate::reports
