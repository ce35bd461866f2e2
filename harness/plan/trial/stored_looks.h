// The looks that a stored plan keeps.

#pragma once

#include "harness/base/json/json.h"
#include "harness/statistics/sequential/looks.h"

namespace ablate::plan {

/// The looks in Plan::sequential of a stored plan. Throws DamagedFile if they are none.
statistics::Looks looks_in(const Json& sequential);

}  // namespace ablate::plan
