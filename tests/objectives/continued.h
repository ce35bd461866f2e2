// What may follow the first tokens of a window of a tiny chain, by enumeration.

#pragma once

#include <vector>

#include "tests/harness/contract/tiny_chain.h"

namespace ablate::objectives {

/// Every window that begins with `before`, goes on for `more` tokens and does not end before its last one.
inline std::vector<std::vector<Token>> continued(const std::vector<Token>& before,
                                                 std::size_t more) {
  std::vector<std::vector<Token>> list = {before};
  for (std::size_t step = 0; step < more; ++step) {
    std::vector<std::vector<Token>> longer;
    for (const auto& window : list) {
      if (step > 0 && window.back() == end_token) continue;
      for (const Token token : {Token{16}, Token{17}, Token{18}, Token{end_token}}) {
        longer.push_back(window);
        longer.back().push_back(token);
      }
    }
    list = std::move(longer);
  }
  return list;
}

}  // namespace ablate::objectives
