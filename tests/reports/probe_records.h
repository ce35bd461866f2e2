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

/// Both arms are fine-tuned with three learning rates, of which seed 1 chooses another than the rest,
/// and are probed with fewer labels. clm is .2 better at every rate.
inline store::Records with_probe_curves(store::Records records = small_records()) {
  for (Json& rows : records.plan["metrics"]) rows.push_back(task_row("fine_tuning.accuracy"));
  for (store::TrialRecord& trial : records.trials) {
    const double level = trial.arm == "clm" ? .6 : .4;
    trial.metrics["fine_tuning.accuracy"] = level;
    trial.probe_curves = {
        {"fine_tuning.accuracy",
         "learning rate",
         {{1e-4, level - .3}, {1e-3, level}, {1e-2, trial.seed == 1 ? level + .03 : level - .03}},
         trial.seed == 1 ? 1e-2 : 1e-3},
        {"topic.accuracy", "training documents", {{16, level - .2}, {64, level}}, {}}};
  }
  return records;
}

/// Pairs of two fields and of three groups; the first field is easy.
inline store::Records with_parts(store::Records records = small_records()) {
  for (Json& rows : records.plan["metrics"]) rows.push_back(task_row("minimal_pairs.accuracy"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["minimal_pairs.accuracy"] = .6;
    const double easy = trial.arm == "clm" ? .75 : .7;
    trial.parts = {
        {"minimal_pairs.accuracy",
         "field",
         {{"morphology", easy, .04, 60}, {"syntax", .5, .05, 30}}},
        {"minimal_pairs.accuracy",
         "group",
         {{"agreement", .8, .07, 30}, {"plural", easy, .08, 30}, {"islands", .5, .05, 30}}}};
  }
  return records;
}

/// Both arms are probed for topics, mlm with fewer test documents by one seed, and tag words of files
/// in IOBES.
inline store::Records with_splits(store::Records records = small_records()) {
  for (Json& rows : records.plan["metrics"])
    rows.push_back(metric_row("tagging.f1", "fraction", "higher", "all arms"));
  for (store::TrialRecord& trial : records.trials) {
    trial.metrics["tagging.f1"] = .5;
    const bool fewer = trial.arm == "mlm" && trial.seed == 1;
    trial.splits = {{"topic.accuracy", "documents", 40, 20, fewer ? 30 : 40, {}},
                    {"tagging.accuracy", "sentences", 45, {}, 60, {{"train", "IOBES"}}}};
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
