// Training curves as the index keeps them: a text for each, which SQL can read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/journal/curve_point.h"

namespace ablate::store {

/// A JSON array with an array for each point: [step, text_tokens, loss, learning_rate,
/// gradient_norm, spike (0 or 1)]. What is not a number is null, an infinity +-9e999.
std::string curve_text(std::span<const CurvePoint> points);

/// The points of a text that curve_text() made. Throws DamagedFile for any other.
std::vector<CurvePoint> curve_in(std::string_view text);

}  // namespace ablate::store
