// The files that pages are made of: templates, style sheets and scripts. They lie in this folder, and the
// build turns each into a string of the program.

#pragma once

#include <span>
#include <string_view>

namespace ablate::reports {

/// A file of reports/assets.
struct Asset {
  std::string_view name;  // its path in that folder
  std::string_view text;  // as it is in the folder; our style sheets without their comments
};

/// All of them, by name.
std::span<const Asset> assets();

/// The text of the file of that name. Throws std::logic_error where there is none.
std::string_view asset(std::string_view name);

}  // namespace ablate::reports
