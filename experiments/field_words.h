// What the field calls things that have another name here.

#pragma once

#include <span>

#include "harness/plan/describe/find_named.h"

namespace ablate {

/// Models, objectives, parts and measures by the names that papers and libraries give them,
/// and what the field has that is not offered, with its nearest.
std::span<const plan::FieldWord> field_words();

}  // namespace ablate
