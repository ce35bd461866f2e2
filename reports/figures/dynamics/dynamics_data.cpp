#include "reports/figures/dynamics/dynamics_data.h"

#include <algorithm>

#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

SweepLine line_of(const Course& course) {
  SweepLine line{.name = course.arm->label};
  for (const CoursePoint& point : course.points)
    line.spots.push_back({point.mean_amount(Quantity::text_tokens), course.arm, &point.over_seeds});
  return line;
}

}  // namespace

std::vector<SweepPanel> dynamics_panels(const std::vector<Course>& courses) {
  std::vector<SweepPanel> panels;
  for (const Course& course : courses) {
    if (course.metric->better == Better::neither) continue;
    const auto shares = [&](const SweepPanel& panel) {
      return panel.metric == course.metric &&
             comparable_arms(course.metric->comparable_across, *course.arm,
                             *panel.lines.front().spots.front().arm);
    };
    auto panel = std::find_if(panels.begin(), panels.end(), shares);
    if (panel == panels.end())
      panel = panels.insert(panel, {course.metric, std::string(kTokensRead), {}});
    panel->lines.push_back(line_of(course));
  }
  return panels;
}

}  // namespace ablate::reports
