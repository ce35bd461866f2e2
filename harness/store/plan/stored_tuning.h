// What tuning has found, as the plan of its result keeps it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/store/plan/stored_metric.h"

namespace ablate::store {

/// A learning rate that an arm has tried.
struct StoredRate {
  double rate = 0;
  std::vector<std::optional<double>> values;  // of the criterion, by seed; empty: diverged
};

/// What one arm has tried, and what was chosen.
struct StoredArmTuning {
  std::string arm;
  double rate = 0;   // chosen
  std::string edge;  // "low" or "high": the best lies at this end of the rates; else empty
  std::int64_t trials = 0;
  std::int64_t diverged = 0;
  double flops = 0;                    // of the tuning trials
  std::optional<double> initial_loss;  // nats per target, at the beginning of training
  std::vector<StoredRate> tried;       // ascending
};

/// What all arms have tried.
struct StoredTuning {
  StoredMetric criterion;
  std::vector<double> rates;  // ascending
  std::int64_t seeds = 0;
  std::int64_t extensions = 0;
  double common = 0;  // the baseline's rate
  std::vector<StoredArmTuning> arms;
};

/// Reads the section "tuning" of the plan of a result. Throws Json::exception where it is none.
StoredTuning stored_tuning(const Json& section);

}  // namespace ablate::store
