// Marks the tokens at which words and sentences start.

#pragma once

#include <cstdint>
#include <string_view>

#include "harness/contract/example.h"

namespace ablate::data {

/// Reads a document piece by piece and finds the word and sentence starts in each.
///
/// A word is a maximal run of bytes without white space. A sentence starts at a document's first
/// word, at the first word after a blank line, and after a word that ends in '.', '!' or '?',
/// optionally followed by closing quotes and brackets. This is crude ("Mr. Smith" is two
/// sentences), but the same for every arm.
class Marker {
 public:
  /// The marks of the next piece: Mark bits.
  std::uint8_t read(std::string_view piece);

 private:
  /// The marks of the next byte.
  std::uint8_t read(char c);

  bool in_word_ = false;
  bool stopped_ = true;  // the last word ended its sentence
  int newlines_ = 0;     // since the last word
};

}  // namespace ablate::data
