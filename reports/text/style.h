// How the HTML report looks.

#pragma once

#include <string_view>

namespace ablate::reports {

/// The page's style sheet: light and dark, screen and print, with no file but itself.
std::string_view style_sheet();

}  // namespace ablate::reports
