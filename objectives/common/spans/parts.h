// Splits a text into its documents' parts, for objectives that work by document.

#pragma once

#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// One document's part of a text: a run of ordinary tokens and the special tokens around it.
struct Part {
  std::size_t first = 0;      // index of its first token, special ones included
  std::size_t count = 0;      // tokens, special ones included
  std::size_t own_first = 0;  // index of its first ordinary token
  std::size_t own_count = 0;  // ordinary tokens
};

/// Splits a text after end tokens, before begin tokens, and wherever special tokens separate
/// ordinary ones. A layout with one document per text gives one part.
std::vector<Part> parts_of(const Text& text);

/// The part's tokens, special ones included: a view of the text.
inline std::span<const Token> tokens_of(const Text& text, const Part& part) {
  return text.tokens.subspan(part.first, part.count);
}

}  // namespace ablate::objectives
