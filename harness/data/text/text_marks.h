// Where words and sentences start, token by token.

#pragma once

#include <cstdint>
#include <string_view>

#include "harness/contract/example.h"

namespace ablate::data {

/// Reads a document piece by piece and says what starts in each.
///
/// A word is a longest run of bytes without white space. A sentence starts at a document's first
/// word, at the first after a blank line, and after a word that ends in '.', '!' or '?', closing
/// quotes and brackets apart. Crude ("Mr. Smith" is cut), but the same for every arm.
class Marker {
 public:
  /// The marks of the next piece, Mark bits.
  std::uint8_t read(std::string_view piece);

 private:
  std::uint8_t read(char c);

  bool in_word_ = false;
  bool stopped_ = true;  // the last word ended its sentence
  int newlines_ = 0;     // since the last word
};

}  // namespace ablate::data
