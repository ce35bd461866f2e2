// Whether texts that people find alike have vectors that are.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/representation/geometry.h"

namespace ablate::probes {

/// The cosines of vectors 2i and 2i + 1.
std::vector<double> pair_cosines(Vectors vectors);

}  // namespace ablate::probes
