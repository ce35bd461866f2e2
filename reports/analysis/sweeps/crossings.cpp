#include "reports/analysis/sweeps/crossings.h"

#include <algorithm>
#include <cmath>

#include "harness/statistics/crossing.h"
#include "reports/analysis/compare.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kFewest = 3;  // shared values
constexpr double kDecade = 10;      // above this ratio, values are compared by their logarithm

/// The arms of two families at a value that both have.
struct Shared {
  double value = 0;
  const ArmResult* first = nullptr;
  const ArmResult* second = nullptr;
};

std::vector<Shared> shared_values(const SweptFamily& first, const SweptFamily& second) {
  std::vector<Shared> shared;
  for (const SweptArm& one : first.arms)
    for (const SweptArm& other : second.arms)
      if (one.value == other.value) shared.push_back({one.value, one.arm, other.arm});
  return shared;
}

/// The value of a trial of this seed; empty where it has none.
std::optional<double> value_of(const ArmResult& arm, const std::string& metric, std::int64_t seed) {
  const auto found = arm.metrics.find(metric);
  if (found == arm.metrics.end()) return std::nullopt;
  for (std::size_t i = 0; i < arm.trials.size(); ++i)
    if (arm.trials[i]->seed == seed) return found->second.values[i];
  return std::nullopt;
}

/// [value][seed]: second - first, of the seeds that have a difference at every value.
std::vector<std::vector<double>> differences(const std::vector<Shared>& shared,
                                             const std::string& metric) {
  std::vector<std::vector<double>> all(shared.size());
  for (const store::TrialRecord* trial : shared.front().first->trials) {
    std::vector<double> of_seed;
    of_seed.reserve(shared.size());
    for (const Shared& at : shared) {
      const auto one = value_of(*at.first, metric, trial->seed);
      const auto other = value_of(*at.second, metric, trial->seed);
      if (one && other) of_seed.push_back(*other - *one);
    }
    if (of_seed.size() != shared.size()) continue;
    for (std::size_t i = 0; i < shared.size(); ++i) all[i].push_back(of_seed[i]);
  }
  return all;
}

Estimate estimate_of(const std::vector<double>& values) {
  return estimate(std::vector<std::optional<double>>(values.begin(), values.end()));
}

bool may_compare(const std::vector<Shared>& shared, const MetricRow& metric) {
  return metric.better != Better::neither &&
         std::all_of(shared.begin(), shared.end(), [&](const Shared& at) {
           return comparable_arms(metric.comparable_across, *at.first, *at.second);
         });
}

/// Fills in the crossing.
void find_crossing(const std::vector<Shared>& shared,
                   const std::vector<std::vector<double>>& by_value, SweptPair& pair) {
  const bool logarithmic = pair.from > 0 && pair.to > kDecade * pair.from;
  std::vector<double> places;
  places.reserve(shared.size());
  for (const Shared& at : shared) places.push_back(logarithmic ? std::log(at.value) : at.value);
  pair.changes = statistics::sign_changes(by_value);
  const auto crossing = statistics::crossing_of(places, by_value);
  if (!crossing) return;
  const auto value = [&](std::optional<double> place) {
    return place && logarithmic ? std::optional(std::exp(*place)) : place;
  };
  pair.crossing = value(crossing->at);
  pair.low = value(crossing->low);
  pair.high = value(crossing->high);
}

}  // namespace

const std::string& SweptPair::ahead(const Estimate& difference) const {
  const bool above = *difference.mean > 0;
  return above == (metric->better == Better::higher) ? second : first;
}

std::vector<SweptPair> swept_pairs(const Analysis& analysis) {
  std::vector<SweptPair> pairs;
  for (const NumberSweep& sweep : number_sweeps(analysis))
    for (std::size_t i = 0; i < sweep.families.size(); ++i)
      for (std::size_t j = i + 1; j < sweep.families.size(); ++j) {
        const auto shared = shared_values(sweep.families[i], sweep.families[j]);
        if (shared.size() < kFewest) continue;
        for (const MetricRow& metric : analysis.metrics) {
          if (!may_compare(shared, metric)) continue;
          const auto by_value = differences(shared, metric.name);
          if (by_value.front().size() < 2) continue;
          SweptPair& pair = pairs.emplace_back();
          pair.parameter = sweep.parameter;
          pair.first = sweep.families[i].name;
          pair.second = sweep.families[j].name;
          pair.metric = &metric;
          pair.from = shared.front().value;
          pair.to = shared.back().value;
          pair.at_start = estimate_of(by_value.front());
          pair.at_end = estimate_of(by_value.back());
          find_crossing(shared, by_value, pair);
        }
      }
  return pairs;
}

}  // namespace ablate::reports
