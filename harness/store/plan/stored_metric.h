// A metric, as a plan declares it for an arm.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/metrics/metric.h"

namespace ablate::store {

/// The declaration of a metric, see ablate::Metric.
struct StoredMetric {
  std::string name;
  std::string label;  // its name where a plan of before has none
  std::string unit;
  Better better = Better::neither;
  Comparable comparable_across = Comparable::same_objective;
  std::string description;
  std::string caveat;   // what a reader must know about this arm's value; may be empty
  std::string subject;  // title of the metrics of its probe; may be empty
  std::optional<std::vector<Bound>> bounds;  // empty: the plan was written before they were stated
  std::optional<MetricIndex> index;
  bool task = false;
};

/// Reads one. What is absent or no text is empty, so that a metric of a later version is shown, too,
/// and nothing is compared in it.
StoredMetric stored_metric(const Json& json);

/// The text under `key`; empty where there is none.
std::string text_at(const Json& json, const char* key);

}  // namespace ablate::store
