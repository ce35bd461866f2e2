// The text that `ablate describe` prints.

#pragma once

#include <string>

#include "harness/plan/describe/families.h"
#include "harness/plan/describe/find_named.h"

namespace ablate::plan {

/// The answer of describe(), laid out in lines of at most `width` columns; of everything, only the
/// names and what they stand for, without metrics. What was found by a word of the field begins with what that is
/// here. Throws as find_named().
std::string description(const Families& families, const std::string& name, FieldWords words = {},
                        std::size_t width = 100);

}  // namespace ablate::plan
