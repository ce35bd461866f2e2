#include "reports/figures/dynamics/dynamics_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/figures/curves/curve_axes.h"
#include "reports/figures/svg.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

/// How much had been used at each point; empty where no point has it.
std::vector<double> amounts_of(const Course& course, Quantity quantity) {
  std::vector<double> amounts;
  for (const CoursePoint& point : course.points) amounts.push_back(point.mean_amount(quantity));
  const bool recorded =
      std::ranges::any_of(amounts, [](double each) { return std::isfinite(each); });
  return recorded ? amounts : std::vector<double>();
}

/// In the order of dynamics_axes().
std::vector<std::vector<double>> positions_of(const Course& course) {
  std::vector<std::vector<double>> positions;
  for (const Quantity quantity : kQuantities) positions.push_back(amounts_of(course, quantity));
  std::vector<double> steps;
  for (const CoursePoint& point : course.points) steps.push_back(static_cast<double>(point.step));
  positions.insert(positions.begin() + 1, std::move(steps));
  return positions;
}

ChartLine line_of(const Course& course, std::size_t index) {
  ChartLine line{course.arm->label, series_class(index), positions_of(course)};
  for (const CoursePoint& point : course.points) {
    const Estimate& seen = point.over_seeds;
    line.mean.push_back(*seen.mean);
    line.low.push_back(seen.interval ? seen.interval->low : *seen.mean);
    line.high.push_back(seen.interval ? seen.interval->high : *seen.mean);
  }
  return line;
}

}  // namespace

std::vector<ChartAxis> dynamics_axes() {
  std::vector<ChartAxis> axes = curve_axes();
  for (ChartAxis& axis : axes) axis.note.clear();
  axes.back().note = "Seconds depend on the machine and on what else ran on it.";
  return axes;
}

Chart dynamics_chart(const SweepPanel& panel, const std::vector<Course>& courses) {
  const MetricRow& metric = *panel.metric;
  Chart chart{.quantity = metric.unit.empty() ? metric.label
                                              : fmt::format("{} ({})", metric.label, metric.unit)};
  for (const SweepLine& line : panel.lines) {
    const ArmResult* const arm = line.spots.front().arm;
    const auto course = std::ranges::find_if(
        courses, [&](const Course& each) { return each.metric == &metric && each.arm == arm; });
    chart.lines.push_back(line_of(*course, chart.lines.size()));
  }
  return chart;
}

}  // namespace ablate::reports
