// A metric of the trials that both programs have.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/store/index/records.h"
#include "harness/store/plan/stored_plan.h"

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
/// known. `metric`: what the plan says of it.
Json values_of(const PairedMetric& paired, const store::StoredMetric& metric, double margin);

/// What the plan says of a metric of an arm; null where it does not have it.
const store::StoredMetric* planned_metric(const store::StoredPlan& plan, const std::string& arm,
                                          const std::string& metric);

/// Whether a metric of a plan has a better direction: others are not judged, nor one that it lacks.
bool has_direction(const store::StoredMetric* metric);

}  // namespace ablate::nightly
