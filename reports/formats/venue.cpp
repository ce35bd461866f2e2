#include "reports/formats/venue.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/base/error.h"

namespace ablate::reports {
namespace {

/// Widths are those of the venues' style files. The text of a figure is a point smaller than that
/// of a caption.
/// Source: tueplots 0.2, module figsizes (all but acl); acl_latex.tex of the ACL style files (acl).
constexpr std::array kVenues = {
    Venue{"aaai", 3.3, 6.975, 8},  Venue{"acl", 3.03, 6.3, 9},  Venue{"aistats", 3.25, 6.75, 9},
    Venue{"cvpr", 3.25, 6.875, 8}, Venue{"eccv", 4.8, 4.8, 8},  Venue{"iclr", 5.5, 5.5, 9},
    Venue{"icml", 3.25, 6.75, 8},  Venue{"jmlr", 6.0, 6.0, 10}, Venue{"neurips", 5.5, 5.5, 9},
    Venue{"tmlr", 6.5, 6.5, 9},    Venue{"uai", 3.25, 6.75, 9}};

}  // namespace

std::vector<std::string_view> venue_names() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kVenues));
  for (const Venue& venue : kVenues) names.push_back(venue.name);
  return names;
}

Venue venue_named(std::string_view name) {
  const auto named = [&](const Venue& venue) { return venue.name == name; };
  const auto found = std::find_if(kVenues.begin(), kVenues.end(), named);
  if (found == kVenues.end())
    reject(
        "--venue: no venue is named '{}'; those known are {}. Without --venue, figures are as wide "
        "as the text around them",
        name, fmt::join(venue_names(), ", "));
  return *found;
}

}  // namespace ablate::reports
