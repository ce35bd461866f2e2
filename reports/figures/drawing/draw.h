// Plots as SVG, on pages and on slides.

#pragma once

#include <string>
#include <string_view>

#include "reports/document/plot.h"

namespace ablate::reports {

/// The room that a drawing has, in pixels of CSS. Letters are of one size, whatever the sheet.
struct Sheet {
  double width = 420;
  double height =
      200;             // between the ends of an axis of numbers; rows and lines of text take theirs
  bool slide = false;  // 16:9 as a whole
};

inline constexpr Sheet kPage;
inline constexpr Sheet kSlide{512, 0, true};  // letters of a twenty-fourth of its height

/// The plot as an SVG element, styled by classes alone (reports/assets/report.css). `id` is unique on
/// its page.
std::string draw(const Plot& plot, std::string_view id, const Sheet& sheet = kPage);

}  // namespace ablate::reports
