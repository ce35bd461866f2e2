// Reads the targets of fill-in-the-middle, as a user of the format would.

#pragma once

#include <map>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::objectives {

/// The tokens after each mark of the targets, by mark; 0: the tokens before the first mark.
inline std::map<Token, std::vector<Token>> middle_parts_of(const std::vector<Token>& targets) {
  std::map<Token, std::vector<Token>> parts;
  Token last = 0;
  for (const Token token : targets)
    if (token >= prefix_token && token <= end_middle_token)
      parts[last = token];
    else
      parts[last].push_back(token);
  return parts;
}

/// The original text.
inline std::vector<Token> undone(const std::vector<Token>& targets) {
  auto parts = middle_parts_of(targets);
  std::vector<Token> text;
  for (const Token mark : {Token{0}, Token{prefix_token}, Token{middle_token}, Token{suffix_token},
                           Token{end_middle_token}})
    text.insert(text.end(), parts[mark].begin(), parts[mark].end());
  return text;
}

}  // namespace ablate::objectives
