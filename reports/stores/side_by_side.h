// Several results folders in one report.

#pragma once

#include <string>
#include <vector>

#include "harness/store/index/records.h"

namespace ablate::reports {

/// The results of one folder, by the name that a report gives them.
struct NamedRecords {
  std::string name;
  store::Records records;
};

/// All results as those of one experiment, to be analysed and reported as such.
///
/// Arms keep their names, and are called "STORE: ARM" where another store has one of that name. The
/// first store has the baseline and the declared analysis. Between arms of stores nothing is compared
/// that is not comparable: if they trained on different text, or if a probe that both have was set
/// otherwise, their rows of the plan say so ("material"), no metric is comparable across it, and a
/// warning says why. What the plans claim of all their arms (what was matched, the power) is left
/// out where it does not hold for all. Experiments that were tuned are at each arm's own rate.
/// The plan has "stores" in addition: [{"name", "experiment", "question", "text", "trials"}].
///
/// One experiment that was run on several machines needs none of this: `ablate collect` merges it.
/// Requires: two stores or more, by different names. Throws Json::exception for a plan that is none.
store::Records side_by_side(std::vector<NamedRecords> stores);

}  // namespace ablate::reports
