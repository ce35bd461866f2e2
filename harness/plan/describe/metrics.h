// The metrics that the probes of a catalogue can yield.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/catalog.h"

namespace ablate::plan {

// What stands for names of phases in names of metrics, because only an experiment knows them.
inline constexpr std::string_view kFirstPhase = "FIRST", kLastPhase = "LAST";

/// What is known of a metric.
struct MeasuredMetric {
  Metric metric;
  std::string_view probe;                    // that measures it; empty where a plan names it alone
  std::vector<std::string_view> objectives;  // for which it is measured
};

/// All metrics by name that any probe yields for any objective, on the built-in language, on text or on
/// a task. Each objective is asked with its defaults and with its largest setting, because some
/// metrics depend on it: those of the heads of multi-token prediction on how many there are.
std::map<std::string, MeasuredMetric> measured_metrics(const Catalog& catalog);

/// The metrics by name of a frozen plan: with the settings of its experiment, under the names that it
/// gives to probes. They refer to the plan. Throws DamagedFile where it has none.
std::map<std::string, MeasuredMetric> planned_metrics(const Json& plan);

}  // namespace ablate::plan
