// A metric of the trials that both programs have.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/store/index/records.h"

namespace ablate::nightly {

/// The trials of an arm.
using TrialsBySeed = std::map<std::int64_t, const store::TrialRecord*>;

/// A metric in the trials that both programs have, by seed.
struct PairedMetric {
  std::vector<double> before, now;    // where both have a finite number
  std::size_t lost = 0, missing = 0;  // trials whose value is no number now, or was not measured
  bool same = true;                   // every bit of it
};

PairedMetric paired(const TrialsBySeed& before, const TrialsBySeed& now, const std::string& metric);

/// What pages show of it: {"better", "unit", "margin", "now", "baseline"}, the last three where they are
/// known. `row`: what the plan says of the metric.
Json values_of(const PairedMetric& paired, const Json& row, double margin);

/// What the plan says of a metric of an arm; null where it does not have it.
Json metric_row(const store::Records& records, const std::string& arm, const std::string& metric);

/// Whether a metric, by its row in a plan, has a better direction: others are not judged.
bool has_direction(const Json& row);

}  // namespace ablate::nightly
