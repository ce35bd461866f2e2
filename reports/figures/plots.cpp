#include "reports/figures/plots.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/analysis/compare.h"
#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::int64_t kMostDots = 100;  // of an estimate

}  // namespace

std::string heading_of(const MetricRow& metric) {
  return fmt::format("{}{}", arrowed(metric),
                     metric.unit.empty() ? "" : fmt::format(" ({})", metric.unit));
}

std::string with_unit(const MetricRow& metric) {
  return metric.unit.empty() ? metric.label : fmt::format("{} ({})", metric.label, metric.unit);
}

PlotAxis axis_over(const std::string& title, const std::vector<double>& values) {
  if (!spans_a_decade(values)) return {.title = title};
  return {.title = title + " (logarithmic)", .kind = AxisKind::logarithmic};
}

std::vector<AxisMark> marks_at(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<AxisMark> marks;
  marks.reserve(values.size());
  for (const double value : values)
    marks.push_back({value, std::abs(value) >= 1000 ? amount(value) : significant(value, 4)});
  return marks;
}

std::vector<double> dots_of(const Estimate& seen) {
  std::vector<double> values = present_values(seen);
  if (std::ssize(values) <= kMostDots) return values;
  std::ranges::sort(values);
  std::vector<double> dots;
  for (std::int64_t i = 0; i < kMostDots; ++i)
    dots.push_back(
        values[static_cast<std::size_t>(i * (std::ssize(values) - 1) / (kMostDots - 1))]);
  return dots;
}

std::string dots_note(std::int64_t most) {
  return most <= kMostDots
             ? ""
             : fmt::format(" Of more than {0} seeds, {0} are drawn, evenly spaced by rank.",
                           kMostDots);
}

}  // namespace ablate::reports
