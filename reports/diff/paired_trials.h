// The trials of two results folders, paired by arm and seed.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// An arm and a seed.
using TrialPlace = std::pair<std::string, std::int64_t>;

/// The trials of a folder by their places.
using TrialsByPlace = std::map<TrialPlace, const store::TrialRecord*>;

/// A trial in both folders.
struct TrialPair {
  const store::TrialRecord* first = nullptr;
  const store::TrialRecord* second = nullptr;
};

/// The trials of the records, which the result points into.
TrialsByPlace by_place(const store::Records& records);

/// The trials that both have, in the order of their places.
std::vector<TrialPair> common_trials(const TrialsByPlace& first, const TrialsByPlace& second);

/// The trials of `some` that `others` lacks, a line an arm.
std::vector<std::string> missing_trials(const TrialsByPlace& some, const TrialsByPlace& others);

/// The metrics that trials of `pairs` have on the side `side` and not on `other`, a line for each
/// arm and metric.
std::vector<std::string> missing_metrics(const std::vector<TrialPair>& pairs,
                                         const store::TrialRecord* TrialPair::*side,
                                         const store::TrialRecord* TrialPair::*other);

/// Whether two numbers have the same bits; all NaN count as the same.
bool same_bits(double a, double b);

}  // namespace ablate::reports
