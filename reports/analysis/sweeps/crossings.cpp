#include "reports/analysis/sweeps/crossings.h"

#include <algorithm>
#include <cmath>

#include "harness/statistics/one_sample/rounding.h"
#include "harness/statistics/sweeps/crossing.h"
#include "harness/statistics/sweeps/trend.h"
#include "reports/analysis/compare.h"
#include "reports/analysis/sweep_values.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kFewest = 3;  // shared values

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

/// [value][seed]: second - first, of the seeds that have a difference at every value.
std::vector<std::vector<double>> differences(const std::vector<Shared>& shared,
                                             const std::string& metric) {
  std::vector<const ArmResult*> arms;
  for (const Shared& at : shared) arms.insert(arms.end(), {at.first, at.second});
  const std::vector<std::vector<double>> values = complete_seeds(arms, metric);
  std::vector<std::vector<double>> all(shared.size());
  for (std::size_t i = 0; i < shared.size(); ++i)
    all[i] = statistics::differences(values[2 * i + 1], values[2 * i]);
  return all;
}

bool may_compare(const std::vector<Shared>& shared, const MetricRow& metric) {
  return metric.better != Better::neither &&
         std::all_of(shared.begin(), shared.end(), [&](const Shared& at) {
           return comparable_arms(metric.comparable_across, *at.first, *at.second);
         });
}

std::vector<double> values_of(const std::vector<Shared>& shared) {
  std::vector<double> values;
  values.reserve(shared.size());
  for (const Shared& at : shared) values.push_back(at.value);
  return values;
}

}  // namespace

void find_crossing(const std::vector<double>& values,
                   const std::vector<std::vector<double>>& differences, SweptPair& pair) {
  const bool logarithmic = statistics::spans_a_decade(values.front(), values.back());
  std::vector<double> places;
  places.reserve(values.size());
  for (const double value : values) places.push_back(logarithmic ? std::log(value) : value);
  pair.changes = statistics::sign_changes(differences);
  const auto crossing = statistics::crossing_of(places, differences);
  if (!crossing) return;
  const auto value = [&](std::optional<double> place) {
    return place && logarithmic ? std::optional(std::exp(*place)) : place;
  };
  pair.crossing = value(crossing->at);
  pair.low = value(crossing->low);
  pair.high = value(crossing->high);
}

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
          for (const std::size_t family : {i, j})
            for (const SweptArm& swept : sweep.families[family].arms)
              pair.arms.push_back(swept.arm);
          pair.metric = &metric;
          pair.from = shared.front().value;
          pair.to = shared.back().value;
          pair.at_start = estimate_of(by_value.front());
          pair.at_end = estimate_of(by_value.back());
          find_crossing(values_of(shared), by_value, pair);
        }
      }
  return pairs;
}

}  // namespace ablate::reports
