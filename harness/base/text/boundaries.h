// Where words and sentences start, by the rules of Unicode (UAX #29), in any script.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ablate {

/// What a character has to do with boundaries; a set of bits.
enum BoundaryTrait : std::uint8_t {
  separates_words = 1,  // white space
  ends_sentence = 2,    // a full stop, a question mark ..., or the end of a paragraph
  closes = 4,    // a quote or bracket, which may stand between the end of a sentence and the next
  unspaced = 8,  // of a script that writes no spaces between words
};

/// The traits of a character. Looked up once for most of them, and fast from then on.
std::uint8_t boundary_traits(char32_t character);

/// Offsets in bytes, ascending.
struct Boundaries {
  std::vector<std::size_t> words, sentences;
};

/// Finds boundaries by ICU, in its root locale: with its dictionaries where a script (Chinese,
/// Japanese, Thai ...) writes no spaces between words. To be used by one thread at a time.
class BoundaryFinder {
 public:
  /// Throws std::runtime_error where ICU lacks its data.
  BoundaryFinder();
  ~BoundaryFinder();

  /// The characters of a paragraph at which its words and sentences start. A word is what lies between
  /// two word boundaries and does not begin with white space: a punctuation mark is one. A sentence
  /// starts at the first character after its boundary that is no white space. Valid until the next
  /// call. Requires: valid UTF-8, less than 2 GiB.
  const Boundaries& of(std::string_view paragraph);

 private:
  struct Iterators;
  std::unique_ptr<Iterators> iterators_;
  Boundaries found_;
};

/// The version of ICU, such as "72.1": another one may have other rules and dictionaries.
const std::string& icu_version();

}  // namespace ablate
