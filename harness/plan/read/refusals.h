// What is wrong with a section of an experiment file, at its place in the files.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// Adds the refusals of a section to `faults`. `pointer`: to the section in the merged file; `label`:
/// what messages call it. Returns whether there were none.
bool add_refusals(const Sources& sources, const std::string& pointer, std::string_view label,
                  const std::vector<Refusal>& refusals, Faults& faults);

}  // namespace ablate::plan
