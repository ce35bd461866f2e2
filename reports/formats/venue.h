// The widths that a venue's pages have, for what is drawn to scale.

#pragma once

#include <string_view>
#include <vector>

namespace ablate::reports {

/// The measures of a venue's pages. All are 0 where no venue is given: drawings are then as wide
/// as the text around them.
struct Venue {
  std::string_view name = {};
  double column = 0;  // inches: width of a column
  double page = 0;    // inches: width of the text; more than `column` on pages with two columns
  int points = 0;     // size of the text in figures

  bool two_columns() const { return page > column; }
};

/// The venues, by name.
std::vector<std::string_view> venue_names();

/// The venue of that name. Throws std::invalid_argument with the list of all where there is none.
Venue venue_named(std::string_view name);

}  // namespace ablate::reports
