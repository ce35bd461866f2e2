// Parts of a text as one.

#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "harness/contract/vocabulary.h"

namespace ablate::objectives {

/// The tokens of the parts, one part after the other: such as left, target and right of a question.
inline std::vector<Token> joined(std::initializer_list<std::span<const Token>> parts) {
  std::vector<Token> tokens;
  for (const std::span<const Token> part : parts)
    tokens.insert(tokens.end(), part.begin(), part.end());
  return tokens;
}

}  // namespace ablate::objectives
