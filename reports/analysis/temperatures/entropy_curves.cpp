#include "reports/analysis/temperatures/entropy_curves.h"

#include <algorithm>
#include <set>

namespace ablate::reports {
namespace {

using store::TemperatureCurve;
using store::TemperaturePoint;

const TemperaturePoint* point_at(const TemperatureCurve* curve, double temperature) {
  if (curve == nullptr) return nullptr;
  const auto found = std::ranges::find(curve->points, temperature, &TemperaturePoint::temperature);
  return found == curve->points.end() ? nullptr : &*found;
}

EntropyPoint point_of(const ArmResult& arm, const EntropyCurve& curve, double temperature) {
  std::vector<std::optional<double>> qualities;
  std::vector<double> entropies;
  for (const store::TrialRecord* trial : arm.trials) {
    const TemperaturePoint* const point = point_at(stored_curve(*trial, curve), temperature);
    qualities.push_back(point == nullptr ? std::nullopt : std::optional(point->quality));
    if (point != nullptr) entropies.push_back(point->entropy);
  }
  return {temperature, statistics::mean(entropies), estimate(std::move(qualities))};
}

/// The temperatures that every trial with the curve drew at.
std::set<double> shared_temperatures(const ArmResult& arm, const EntropyCurve& curve) {
  std::set<double> shared;
  bool first = true;
  for (const store::TrialRecord* trial : arm.trials) {
    const TemperatureCurve* const drawn = stored_curve(*trial, curve);
    if (drawn == nullptr) continue;
    std::set<double> own;
    for (const TemperaturePoint& point : drawn->points)
      if (first || shared.contains(point.temperature)) own.insert(point.temperature);
    shared = std::move(own);
    first = false;
  }
  return shared;
}

}  // namespace

const TemperatureCurve* stored_curve(const store::TrialRecord& trial, const EntropyCurve& curve) {
  if (trial.outcome != "completed") return nullptr;
  const auto found = std::ranges::find_if(trial.temperatures, [&](const TemperatureCurve& stored) {
    return stored.metric == curve.metric->name && stored.sampler == curve.sampler;
  });
  return found == trial.temperatures.end() ? nullptr : &*found;
}

std::vector<EntropyCurve> entropy_curves(const Analysis& analysis) {
  std::vector<EntropyCurve> curves;
  for (const MetricRow& metric : analysis.metrics)
    for (const ArmResult& arm : analysis.arms) {
      std::set<std::string> samplers;
      for (const store::TrialRecord* trial : arm.trials)
        for (const TemperatureCurve& curve : trial->temperatures)
          if (curve.metric == metric.name) samplers.insert(curve.sampler);
      for (const std::string& sampler : samplers) {
        EntropyCurve curve{&metric, &arm, sampler, {}};
        for (const double temperature : shared_temperatures(arm, curve))
          curve.points.push_back(point_of(arm, curve, temperature));
        if (curve.points.size() > 1) curves.push_back(std::move(curve));
      }
    }
  return curves;
}

}  // namespace ablate::reports
