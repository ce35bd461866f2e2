// The list of all objectives.

#pragma once

#include <map>
#include <span>
#include <string_view>

#include "harness/contract/objective.h"

namespace ablate::objectives {

/// Every objective, in alphabetical order.
std::span<const ObjectiveSpec> objective_specs();

/// Names that objectives go by in papers and libraries, such as "mlm", and their names here.
const std::map<std::string_view, std::string_view>& short_names();

}  // namespace ablate::objectives
