// The parts of a text that objectives work on where they work by document.

#pragma once

#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// A stretch of a text whose ordinary tokens stand together: one document's part.
struct Part {
  std::size_t first = 0;  // of its tokens, special ones included
  std::size_t count = 0;
  std::size_t own_first = 0;  // of its ordinary tokens
  std::size_t own_count = 0;
};

/// The parts of a text: cut after end tokens, before begin tokens, and wherever special tokens part
/// ordinary ones. A layout that gives one document at a time gives one part.
std::vector<Part> parts_of(const Text& text);

inline std::span<const Token> tokens_of(const Text& text, const Part& part) {
  return text.tokens.subspan(part.first, part.count);
}

}  // namespace ablate::objectives
