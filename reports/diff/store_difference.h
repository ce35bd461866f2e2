// Compares two results folders: what was asked for, what ran it, and what came out.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/store/index/records.h"
#include "reports/diff/metric_differences.h"

namespace ablate::reports {

/// A fact of the programs or the machine, with all values that the trials of each folder recorded.
struct FactDifference {
  std::string fact;                        // "commit", "library.version"
  std::vector<std::string> first, second;  // as JSON, sorted; empty where no trial has it
};

/// A trial that both folders have, with another outcome in each.
struct OutcomeDifference {
  std::string arm;
  std::int64_t seed = 0;
  std::string first, second;
};

/// The differences between two results folders. Not compared are times, paths, memory, lanes and
/// command lines.
struct StoreDifference {
  std::vector<std::string> plan;                     // lines such as "train.batch: 16 -> 32"
  std::vector<FactDifference> program, machine;      // those that differ
  std::vector<std::string> only_first, only_second;  // trials and metrics that one lacks
  std::vector<OutcomeDifference> outcomes;           // those that differ
  std::vector<MetricDifference> metrics;             // those that differ, the largest first
  std::int64_t trials = 0;                           // that both have
  std::int64_t values = 0, equal_values = 0;         // of metrics, over these trials
  std::int64_t points = 0, equal_points = 0;         // of metrics on the way
  std::int64_t curves = 0, equal_curves = 0;         // of trials that have one in both
  std::int64_t samples = 0, equal_samples = 0;       // the same, of generated texts

  /// Whether everything that both folders measured is the same, bit for bit.
  bool same_numbers() const;
  /// Whether nothing differs at all.
  bool equal() const;
};

/// The difference of `second` from `first`. Trials are paired by arm and seed, also where the
/// experiments have other names. Throws DamagedFile where plan and trials are inconsistent.
StoreDifference difference_between(const store::Records& first, const store::Records& second);

}  // namespace ablate::reports
