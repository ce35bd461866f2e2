// In which ways the likelihood of a text can be bounded under an arm. Without LibTorch.

#pragma once

#include "harness/contract/objective.h"

namespace ablate::probes {

/// What can be asked of an arm.
struct BoundWays {
  bool own = false;     // its loss is -log p or a bound on it
  bool chain = false;   // it says how probable a text is, token by token from left to right
  bool orders = false;  // it does in any order

  /// What its likelihood of a text is given: where all is predicted in place, how long the text is.
  ClozeFormat given = ClozeFormat::none;

  bool none() const { return !own && !chain && !orders; }
};

/// That of an objective at these parameters.
BoundWays bound_ways(const ObjectiveSpec& objective, const Params& params);

}  // namespace ablate::probes
