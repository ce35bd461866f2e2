// How the HTML report looks: reports/formats/report.css, which the build turns into a string.

#pragma once

#include <string_view>

namespace ablate::reports {

/// The page's style sheet, without its comments: light and dark, screen and print, and complete by
/// itself.
std::string_view style_sheet();

}  // namespace ablate::reports
