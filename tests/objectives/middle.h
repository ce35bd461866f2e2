// Reading what fill-in-the-middle wrote, as a user of the format would.

#pragma once

#include <map>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::objectives {

/// What the marks of the targets enclose, by the mark that stands before; 0: before the first.
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

/// The text before it was transformed: what a user of the format would read off.
inline std::vector<Token> undone(const std::vector<Token>& targets) {
  auto parts = middle_parts_of(targets);
  std::vector<Token> text;
  for (const Token mark : {Token{0}, Token{prefix_token}, Token{middle_token}, Token{suffix_token},
                           Token{end_middle_token}})
    text.insert(text.end(), parts[mark].begin(), parts[mark].end());
  return text;
}

}  // namespace ablate::objectives
