// Records of arms that were measured on several tasks.

#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "tests/reports/records.h"

namespace ablate::reports {

/// The small experiment with so many tasks, of which the arms "a" to "d" reach `levels`, each seed a
/// little more than the one before.
inline store::Records with_tasks(int tasks, const std::vector<double>& levels) {
  store::Records records = small_records();
  records.plan["arms"] = Json::array();
  records.plan["metrics"] = Json::object();
  records.trials.clear();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string arm(1, static_cast<char>('a' + i));
    records.plan["arms"].push_back(plan_arm(arm, i == 0, "masked_lm", 0.15));
    Json metrics = small_metrics();
    metrics.erase(metrics.begin() + 3);  // topic.accuracy is a task as well
    for (int task = 0; task < tasks; ++task)
      metrics.push_back(task_row(fmt::format("task{}.accuracy", task)));
    records.plan["metrics"][arm] = metrics;
    for (std::int64_t seed = 1; seed <= 6; ++seed) {
      store::TrialRecord trial = small_trial(arm, seed, .2);
      trial.metrics.erase("topic.accuracy");
      for (int task = 0; task < tasks; ++task)
        trial.metrics[fmt::format("task{}.accuracy", task)] =
            levels[i] + .02 * task + .001 * static_cast<double>(seed);
      records.trials.push_back(std::move(trial));
    }
  }
  return records;
}

}  // namespace ablate::reports
