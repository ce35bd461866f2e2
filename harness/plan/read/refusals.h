// What is wrong with a section of an experiment file, at its place in the files.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/params.h"
#include "harness/plan/file/sources.h"

namespace ablate::plan {

/// Where a refusal is shown.
using PlaceOf = std::function<Place(const Refusal& refusal)>;

/// Adds the refusals of a section to `faults`. `label`: what messages call the section. Returns
/// whether there were none.
bool add_refusals(const std::vector<Refusal>& refusals, std::string_view label,
                  const PlaceOf& place_of, Faults& faults);

/// The same where the section stands in the files. `pointer`: to it.
bool add_refusals(const std::vector<Refusal>& refusals, std::string_view label,
                  const Sources& sources, const std::string& pointer, Faults& faults);

}  // namespace ablate::plan
