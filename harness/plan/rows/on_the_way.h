// When a probe measures models that are still being trained: the setting "at" of an entry of
// "probes".

#pragma once

#include <string>
#include <vector>

#include "harness/contract/param.h"

namespace ablate::plan {

/// The row of "at", a section in which exactly one field must be given.
const Param& at_param();

/// Points on the way to the end of training, at which the trial is measured anyway.
struct OnTheWay {
  std::string unit;             // "fractions", "tokens" or "doublings"; empty: no points
  std::vector<double> amounts;  // ascending; of doublings, their number alone

  /// Whether there are points.
  bool any() const { return !unit.empty(); }
};

/// Sets `json` to the section "at". Requires: there are points.
void to_json(Json& json, const OnTheWay& points);

/// The points of a section that at_param() accepts. Throws std::invalid_argument where it does not
/// have exactly one field, or where its points do not ascend.
OnTheWay on_the_way_of(const Json& section);

}  // namespace ablate::plan
