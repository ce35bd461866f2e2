// The matches of a pattern in a text.

#pragma once

#include <cstddef>
#include <regex>
#include <string>
#include <vector>

namespace ablate {

/// Every match of a pattern, or of one of its groups, in order.
inline std::vector<std::string> matches_in(const std::string& text, const std::regex& pattern,
                                           std::size_t group = 0) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    found.push_back((*it)[group]);
  return found;
}

}  // namespace ablate
