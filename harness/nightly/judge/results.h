// Compares the results of one experiment: trained now, and by the baseline's program on the same
// machine.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/nightly/judge/finding.h"
#include "harness/nightly/judge/quality.h"
#include "harness/store/index/records.h"

namespace ablate::nightly {

/// What two results show, before series of all experiments are judged together.
struct Compared {
  std::vector<Finding> findings;       // that need no statistics
  std::vector<QualitySeries> quality;  // where bits differ
};

/// The margins of an experiment's metrics.
struct Margins {
  // By metric: the smallest worsening that matters; absent where it is to be the one in `held`.
  std::map<std::string, std::optional<double>> stated;
  std::map<std::string, double> held;  // by series: the smallest that its seeds hold, as calibrated
};

/// Compares, for each arm, its plan (ids, parameters, FLOPs, ...: equality), its curves and metrics
/// bit for bit, and, where those differ, each metric in `margins` by seed. `experiment` is the first
/// part of the names of series. A metric without a better direction is not compared. A metric that
/// was a number in a trial and is none now is a regression; one that was not measured is no data.
Compared compare(const std::string& experiment, const store::Records& baseline,
                 const store::Records& now, const Margins& margins);

/// The values of each series that compare() would judge, by seed, of trials that completed.
std::map<std::string, std::vector<double>> judged_values(
    const std::string& experiment, const store::Records& records,
    const std::map<std::string, std::optional<double>>& margins);

}  // namespace ablate::nightly
