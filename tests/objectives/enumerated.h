// Probabilities of windows of which a part is known, by enumeration.

#pragma once

#include <vector>

#include "tests/harness/contract/tiny_chain.h"

namespace ablate::objectives {

/// P(the tokens that are known | what is special) of a window: the sum over all words elsewhere.
inline double probability_of(const Chain& chain, const std::vector<Token>& window,
                             const std::vector<bool>& known) {
  double total = 0;
  for (const std::vector<Token>& text : fillings(chain, window)) {
    bool agrees = true;
    for (std::size_t i = 0; i < text.size(); ++i)
      agrees = agrees && (!known[i] || text[i] == window[i]);
    if (agrees) total += window_probability(chain, text);
  }
  return total;
}

}  // namespace ablate::objectives
