// How wide a text will be, before TeX sets it.

#pragma once

#include <string_view>

namespace ablate::reports {

/// The width of a text on one line in Computer Modern Roman, in quads: a digit is half of one. A
/// character outside ASCII counts as a capital.
double text_width(std::string_view raw);

}  // namespace ablate::reports
