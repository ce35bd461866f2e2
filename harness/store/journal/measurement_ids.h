// The measurements that a planned trial asks for, by the ids under which its journal holds them.
#pragma once

#include <string>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::store {

/// The ids of the measurements that the probes of a planned trial ask for, at the end and on the
/// way.
std::vector<std::string> measurement_ids(const Json& probes);

/// Those of them that are made on the way.
std::vector<std::string> ids_on_the_way(const Json& probes);

}  // namespace ablate::store
