// The bounds of a metric, as a plan keeps them.

#pragma once

#include <optional>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/metrics/bound.h"

namespace ablate::store {

/// [{"is", "terms": [{"metric", "factor"}] or "constant", "conversion", "per"}]
Json bounds_json(const std::vector<Bound>& bounds);

/// Reads them, and leaves out those that are damaged or of a later version. Empty where `json` is no
/// list.
std::vector<Bound> stored_bounds(const Json& json);

}  // namespace ablate::store
