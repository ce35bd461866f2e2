// What names of metrics are in their labels.

#pragma once

#include <algorithm>
#include <string>

namespace ablate::probes {

/// A name as words: "syntax semantics" of "syntax_semantics".
inline std::string as_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace ablate::probes
