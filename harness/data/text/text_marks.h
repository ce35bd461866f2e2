// Marks the tokens at which words and sentences start.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/text/boundaries.h"
#include "harness/contract/example.h"
#include "harness/contract/vocabulary.h"
#include "harness/data/text/mark_rule.h"

namespace ablate::data {

/// Reads a document piece by piece and finds the word and sentence starts in each, by the rule of
/// ASCII.
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

/// Finds word and sentence starts by the rules of Unicode (UAX #29), tailored in one thing: a line end
/// is a space, and a blank line ends a paragraph, because text is often wrapped.
class UnicodeMarker {
 public:
  /// `document` and `finder` outlive the marker. Requires: valid UTF-8.
  UnicodeMarker(std::string_view document, BoundaryFinder& finder)
      : rest_(document), finder_(finder) {}

  /// The marks of the document's next bytes.
  std::uint8_t read(std::size_t bytes);

 private:
  /// The marks of the next bytes of the paragraph.
  std::uint8_t read_paragraph(std::size_t bytes);

  /// Finds the boundaries of the next paragraph.
  void next_paragraph();

  std::string_view rest_;  // after the paragraph
  BoundaryFinder& finder_;
  std::string paragraph_;
  std::size_t at_ = 0;                             // bytes that were read of the paragraph
  const Boundaries* found_ = nullptr;              // in the paragraph
  std::size_t next_word_ = 0, next_sentence_ = 0;  // indices of those at or after `at_`
};

/// Marks the tokens of documents, all by one rule.
class DocumentMarker {
 public:
  explicit DocumentMarker(MarkRule rule);

  /// Appends the marks of a document's tokens. `pieces`: the bytes of each ordinary id; those of the
  /// tokens are the document.
  void mark(std::string_view document, std::span<const Token> tokens,
            const std::vector<std::string>& pieces, std::vector<std::uint8_t>& marks);

 private:
  std::optional<BoundaryFinder> finder_;  // of the rule of Unicode
};

}  // namespace ablate::data
