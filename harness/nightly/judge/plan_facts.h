// The facts of an arm's plan, which only a change of the code or the experiment changes.

#pragma once

#include <string>

#include "harness/base/json/json.h"
#include "harness/store/index/records.h"
#include "harness/store/plan/stored_plan.h"

namespace ablate::nightly {

/// What the plan of the records says of an arm, and its trials' ids by seed.
Json facts_of(const store::StoredPlan& plan, const store::Records& records, const std::string& arm);

/// The first facts that differ, "flops: 12 before, 13 now"; empty where none does.
std::string differing(const Json& before, const Json& now);

}  // namespace ablate::nightly
