#include "reports/analysis/sweep_values.h"

#include "harness/statistics/sweeps/trend.h"

namespace ablate::reports {
namespace {

/// The value of a trial of this seed; empty where it has none.
std::optional<double> value_of(const ArmResult& arm, const std::string& metric, std::int64_t seed) {
  const auto found = arm.metrics.find(metric);
  if (found == arm.metrics.end()) return std::nullopt;
  for (std::size_t i = 0; i < arm.trials.size(); ++i)
    if (arm.trials[i]->seed == seed) return found->second.values[i];
  return std::nullopt;
}

}  // namespace

std::vector<std::vector<double>> complete_seeds(const std::vector<const ArmResult*>& arms,
                                                const std::string& metric) {
  std::vector<std::vector<double>> all(arms.size());
  for (const store::TrialRecord* trial : arms.front()->trials) {
    std::vector<double> of_seed;
    of_seed.reserve(arms.size());
    for (const ArmResult* arm : arms)
      if (const auto value = value_of(*arm, metric, trial->seed)) of_seed.push_back(*value);
    if (of_seed.size() != arms.size()) continue;
    for (std::size_t i = 0; i < arms.size(); ++i) all[i].push_back(of_seed[i]);
  }
  return all;
}

std::optional<CarryingValue> carrying_value(const std::vector<double>& values,
                                            const std::vector<double>& places, std::size_t degree,
                                            const std::vector<std::vector<double>>& by_place) {
  const auto carrying = statistics::carrying_place(places, degree, by_place);
  if (!carrying) return std::nullopt;
  return CarryingValue{values[carrying->place], estimate_of(carrying->without)};
}

Estimate estimate_of(const std::vector<double>& values) {
  return estimate(std::vector<std::optional<double>>(values.begin(), values.end()));
}

}  // namespace ablate::reports
