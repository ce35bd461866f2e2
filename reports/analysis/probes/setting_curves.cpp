#include "reports/analysis/probes/setting_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ablate::reports {
namespace {

const store::ProbeCurve* curve_in(const store::TrialRecord& trial, const std::string& metric) {
  if (trial.outcome != "completed") return nullptr;
  const auto found = std::ranges::find(trial.probe_curves, metric, &store::ProbeCurve::metric);
  return found == trial.probe_curves.end() ? nullptr : &*found;
}

std::optional<double> value_at(const store::ProbeCurve* curve, double at) {
  if (curve == nullptr) return std::nullopt;
  const auto found = std::ranges::find(curve->points, at, &store::ProbeCurve::Point::at);
  return found == curve->points.end() ? std::nullopt : std::optional(found->value);
}

/// The curve over the arm's seeds; without points where no seed has any.
SettingCurve curve_of(const MetricRow& metric, const ArmResult& arm) {
  SettingCurve curve{.metric = &metric, .arm = &arm};
  std::set<double> places;
  for (const store::TrialRecord* trial : arm.trials) {
    const store::ProbeCurve* const own = curve_in(*trial, metric.name);
    curve.chosen.push_back(own == nullptr ? std::nullopt : own->chosen);
    if (own == nullptr) continue;
    curve.along = own->along;
    for (const store::ProbeCurve::Point& point : own->points) places.insert(point.at);
  }
  for (const double at : places) {
    std::vector<std::optional<double>> values;
    for (const store::TrialRecord* trial : arm.trials)
      values.push_back(value_at(curve_in(*trial, metric.name), at));
    curve.points.push_back({at, estimate(std::move(values))});
  }
  return curve;
}

/// What a drawn value loses against the chosen one with one seed.
std::optional<double> lost(const SettingCurve& curve, std::size_t seed) {
  if (!curve.chosen[seed]) return std::nullopt;
  double sum = 0;
  std::optional<double> best;
  for (const SettingCurvePoint& point : curve.points) {
    const std::optional<double>& value = point.over_seeds.values[seed];
    if (!value) return std::nullopt;
    sum += *value;
    if (point.at == *curve.chosen[seed]) best = value;
  }
  if (!best) return std::nullopt;
  return std::abs(*best - sum / static_cast<double>(curve.points.size()));
}

}  // namespace

std::vector<SettingCurve> setting_curves(const Analysis& analysis) {
  std::vector<SettingCurve> curves;
  for (const MetricRow& metric : analysis.metrics)
    for (const ArmResult& arm : analysis.arms)
      if (SettingCurve curve = curve_of(metric, arm); !curve.points.empty())
        curves.push_back(std::move(curve));
  return curves;
}

std::optional<Chosen> most_chosen(const SettingCurve& curve) {
  std::map<double, std::int64_t> counts;
  Chosen most;
  for (const std::optional<double>& value : curve.chosen)
    if (value) {
      ++counts[*value];
      ++most.of;
    }
  for (const auto& [value, seeds] : counts)
    if (seeds > most.seeds) {
      most.value = value;
      most.seeds = seeds;
    }
  return most.of > 0 ? std::optional(most) : std::nullopt;
}

Estimate sensitivity_of(const SettingCurve& curve) {
  std::vector<std::optional<double>> values;
  for (std::size_t seed = 0; seed < curve.chosen.size(); ++seed)
    values.push_back(lost(curve, seed));
  return estimate(std::move(values));
}

}  // namespace ablate::reports
