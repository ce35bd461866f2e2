// The form of one entry of "arms", before what it sets is resolved.

#pragma once

#include <string>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// Whether an entry of "arms", at `pointer`, is well formed; what is wrong with it is added to
/// `faults`. Its values are judged where they are resolved.
bool check_entry(const Sources& sources, const std::string& pointer, const Json& entry,
                 Faults& faults);

}  // namespace ablate::plan
