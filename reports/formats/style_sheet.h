// The style sheet of the HTML report: reports/formats/report.css, which the build turns into a
// string.

#pragma once

#include <string_view>

namespace ablate::reports {

/// The page's style sheet, without its comments. It covers light and dark, screen and print, and
/// uses no other file.
std::string_view style_sheet();

}  // namespace ablate::reports
