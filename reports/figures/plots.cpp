#include "reports/figures/plots.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/figures/svg.h"
#include "reports/tables/table.h"
#include "reports/text/number.h"

namespace ablate::reports {

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

}  // namespace ablate::reports
