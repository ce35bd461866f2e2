// What probes leave in the records of the small experiment beside metrics.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/reports/records.h"

namespace ablate::reports {

/// Both arms generate: clm by one sampler, mlm by two. Entropy and log-probability rise and fall with
/// the temperature, and differ by a hundredth between seeds.
inline store::Records with_temperatures(store::Records records = small_records()) {
  for (Json& rows : records.plan["metrics"])
    rows.push_back(metric_row("generation.log_probability", "nats/token", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["generation.log_probability"] = -3;
    const auto seed = .01 * static_cast<double>(trial.seed);
    const auto curve = [&](const std::string& sampler, double level) {
      store::TemperatureCurve made{"generation.log_probability", sampler, {}};
      for (const double temperature : {.7, 1., 1.2})
        made.points.push_back({temperature, 3 + temperature + seed, level - temperature + seed});
      return made;
    };
    if (trial.arm == "clm")
      trial.temperatures = {curve("ancestral", -2)};
    else
      trial.temperatures = {curve("gibbs", -3), curve("left_to_right", -2.5)};
  }
  return records;
}

/// Kernels of the last layers of the two arms have a cosine of .6; first layers are the same in
/// both, and undefined with seed 1.
inline store::Records with_kernels(store::Records records = small_records()) {
  for (Json& rows : records.plan["metrics"])
    rows.push_back(metric_row("representation.ndcg_at_10", "fraction", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["representation.ndcg_at_10"] = .5;
    trial.kernels = {{0, 3, 4}, {30, 40, 0}};
    if (trial.arm == "clm") trial.kernels[1] = {7, 0, 0};
    if (trial.seed == 1) trial.kernels[0].clear();
  }
  return records;
}

/// `count` items of which the first `right` are right.
inline std::vector<double> items_of(std::size_t count, std::size_t right) {
  std::vector<double> items(count, 0.0);
  std::fill_n(items.begin(), right, 1.0);
  return items;
}

/// The arms classify `clm` and `mlm` of 100 documents correctly.
inline store::Records with_items(std::size_t clm, std::size_t mlm,
                                 store::Records records = small_records()) {
  for (store::TrialRecord& trial : records.trials)
    trial.items["topic.accuracy"] = items_of(100, trial.arm == "clm" ? clm : mlm);
  return records;
}

/// Masked LM was trained with seeds of its own, from `first` on.
inline store::Records with_own_seeds(std::int64_t first) {
  store::Records records = small_records();
  for (store::TrialRecord& trial : records.trials)
    if (trial.arm == "mlm") trial.seed += first - 1;
  return records;
}

}  // namespace ablate::reports
