#include "reports/analysis/dynamics/courses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ablate::reports {
namespace {

using store::TrainingPoint;
using store::TrialRecord;

/// What a quantity is called, and where a point has it.
struct QuantityRow {
  std::string_view name;
  double TrainingPoint::*amount;
};

const QuantityRow& row_of(Quantity quantity) {
  static constexpr QuantityRow kRows[] = {{"text_tokens", &TrainingPoint::text_tokens},
                                          {"targets", &TrainingPoint::targets},
                                          {"flops", &TrainingPoint::flops},
                                          {"seconds", &TrainingPoint::seconds}};
  return kRows[static_cast<std::size_t>(quantity)];
}

double number_at(const Json& ledger, const char* key) {
  const Json value = ledger.is_object() ? ledger.value(key, Json()) : Json();
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// A trial's metrics at the end of its training.
store::MeasuredPoint end_of(const TrialRecord& trial) {
  const double steps = number_at(trial.ledger, "steps");
  return {{std::isfinite(steps) ? std::llround(steps) : 0, number_at(trial.ledger, "text_tokens"),
           number_at(trial.ledger, "targets"), number_at(trial.ledger, "flops"),
           number_at(trial.ledger, "seconds")},
          trial.metrics};
}

/// Everything that was measured of a trial, by step; nothing unless it is completed.
std::vector<store::MeasuredPoint> points_of(const TrialRecord& trial) {
  if (trial.outcome != "completed") return {};
  std::vector<store::MeasuredPoint> points = trial.on_the_way;
  points.push_back(end_of(trial));
  return points;
}

using PointsBySeed = std::vector<std::vector<store::MeasuredPoint>>;

CoursePoint point_at(const PointsBySeed& trials, std::int64_t step, const std::string& metric) {
  CoursePoint point{.step = step};
  std::vector<std::optional<double>> values;
  for (const auto& points : trials) {
    const auto here = [&](const auto& each) { return each.at.step == step; };
    const auto found = std::find_if(points.begin(), points.end(), here);
    const bool measured = found != points.end() && found->metrics.contains(metric) &&
                          std::isfinite(found->metrics.at(metric)) &&
                          std::isfinite(found->at.text_tokens);
    values.push_back(measured ? std::optional(found->metrics.at(metric)) : std::nullopt);
    point.at.push_back(measured ? std::optional(found->at) : std::nullopt);
  }
  point.over_seeds = estimate(std::move(values));
  return point;
}

Course course_of(const MetricRow& metric, const ArmResult& arm, const PointsBySeed& trials) {
  Course course{&metric, &arm, {}};
  std::set<std::int64_t> steps;
  for (const auto& points : trials)
    for (const store::MeasuredPoint& point : points)
      if (point.metrics.contains(metric.name)) steps.insert(point.at.step);
  for (const std::int64_t step : steps)
    if (CoursePoint point = point_at(trials, step, metric.name); point.over_seeds.n > 0)
      course.points.push_back(std::move(point));
  return course;
}

}  // namespace

std::string_view name_of(Quantity quantity) { return row_of(quantity).name; }

double amount_at(const TrainingPoint& point, Quantity quantity) {
  return point.*row_of(quantity).amount;
}

double CoursePoint::mean_amount(Quantity quantity) const {
  std::vector<double> amounts;
  for (const auto& seed : at)
    if (seed) amounts.push_back(amount_at(*seed, quantity));
  return statistics::mean(amounts);
}

std::vector<Course> courses_of(const Analysis& analysis) {
  std::vector<PointsBySeed> by_arm;
  for (const ArmResult& arm : analysis.arms) {
    PointsBySeed& trials = by_arm.emplace_back();
    for (const TrialRecord* trial : arm.trials) trials.push_back(points_of(*trial));
  }
  std::vector<Course> courses;
  for (const MetricRow& metric : analysis.metrics)
    for (std::size_t i = 0; i < analysis.arms.size(); ++i)
      if (Course course = course_of(metric, analysis.arms[i], by_arm[i]); course.points.size() > 1)
        courses.push_back(std::move(course));
  return courses;
}

}  // namespace ablate::reports
