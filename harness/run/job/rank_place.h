// Where a rank of a worker computes.

#pragma once

#include <string>

#include "harness/base/json/json.h"

namespace ablate::run {

/// The place of one of the processes that train a bank together.
struct RankPlace {
  std::string device = "cpu";
  int core = -1;  // that it is bound to; -1: any
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RankPlace, device, core)

}  // namespace ablate::run
