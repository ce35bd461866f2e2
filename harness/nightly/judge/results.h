// Compares the results of one experiment: trained now, and by the baseline's program on the same
// machine.

#pragma once

#include <map>
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

/// Compares, for each arm, its plan (ids, parameters, FLOPs, ...: equality), its curves and metrics
/// bit for bit, and, where those differ, each metric in `margins` by seed. `experiment` is the first
/// part of the names of series. A metric without a better direction is not compared.
Compared compare(const std::string& experiment, const store::Records& baseline,
                 const store::Records& now, const std::map<std::string, double>& margins);

}  // namespace ablate::nightly
