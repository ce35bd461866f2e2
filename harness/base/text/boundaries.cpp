#include "harness/base/text/boundaries.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#include <array>

#include "harness/base/error.h"

namespace ablate {
namespace {

bool is_unspaced(UChar32 code) {
  if (u_hasBinaryProperty(code, UCHAR_IDEOGRAPHIC)) return true;
  if (u_getIntPropertyValue(code, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) return true;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(code, &status);
  return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

std::uint8_t traits_of(UChar32 code) {
  const int breaks = u_getIntPropertyValue(code, UCHAR_SENTENCE_BREAK);
  const bool ends = breaks == U_SB_STERM || breaks == U_SB_ATERM || breaks == U_SB_SEP;
  return static_cast<std::uint8_t>(
      (u_isUWhiteSpace(code) ? separates_words : 0) | (ends ? ends_sentence : 0) |
      (breaks == U_SB_CLOSE ? closes : 0) | (is_unspaced(code) ? unspaced : 0));
}

using Iterator = std::unique_ptr<icu::BreakIterator>;

Iterator checked(icu::BreakIterator* made, UErrorCode status) {
  Iterator iterator(made);
  if (U_FAILURE(status) || !iterator)
    fail("ICU {} finds no word or sentence boundaries ({}); install its data (libicu72)",
         icu_version(), u_errorName(status));
  return iterator;
}

/// A paragraph in UTF-16, as ICU reads it, and in UTF-8.
struct BothForms {
  std::string_view bytes;
  icu::UnicodeString units;

  bool is_ascii() const { return bytes.size() == static_cast<std::size_t>(units.length()); }

  /// Whether the character at a unit is white space: none takes two units.
  bool is_white(std::int32_t at) const {
    return (boundary_traits(units.charAt(at)) & separates_words) != 0;
  }
};

/// A place in a paragraph, in units and in bytes, which only goes on.
class Position {
 public:
  explicit Position(const BothForms& text) : text_(text), ascii_(text.is_ascii()) {}

  /// Goes to a unit at or after that of the last call: the start of a character.
  void go_to(std::int32_t unit) {
    if (ascii_) {
      unit_ = unit;
      byte_ = static_cast<std::size_t>(unit);
      return;
    }
    while (unit_ < unit) {
      const auto lead = static_cast<unsigned char>(text_.bytes[byte_]);
      byte_ += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      unit_ += lead < 0xF0 ? 1 : 2;
    }
  }

  std::size_t byte() const { return byte_; }

 private:
  const BothForms& text_;
  const bool ascii_;
  std::int32_t unit_ = 0;
  std::size_t byte_ = 0;
};

/// Sets `starts` to the starts of the stretches between an iterator's boundaries, without those of
/// white space alone. `skip`: where a stretch begins with white space it starts after it; else it is
/// left out.
void find(icu::BreakIterator& iterator, const BothForms& text, bool skip,
          std::vector<std::size_t>& starts) {
  starts.clear();
  iterator.setText(text.units);
  Position position(text);
  std::int32_t begin = iterator.first();
  for (std::int32_t end = iterator.next(); end != icu::BreakIterator::DONE; end = iterator.next()) {
    std::int32_t start = begin;
    while (skip && start < end && text.is_white(start)) ++start;
    begin = end;
    if (start == end || (!skip && text.is_white(start))) continue;
    position.go_to(start);
    starts.push_back(position.byte());
  }
}

}  // namespace

std::uint8_t boundary_traits(char32_t character) {
  constexpr std::size_t kKept = 0x10000;  // nearly all characters of nearly all texts
  static const auto kept = [] {
    auto all = std::make_unique<std::array<std::uint8_t, kKept>>();
    for (std::size_t i = 0; i < kKept; ++i) (*all)[i] = traits_of(static_cast<UChar32>(i));
    return all;
  }();
  return character < kKept ? (*kept)[character] : traits_of(static_cast<UChar32>(character));
}

struct BoundaryFinder::Iterators {
  Iterator words, sentences;
};

BoundaryFinder::BoundaryFinder() : iterators_(std::make_unique<Iterators>()) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale& root = icu::Locale::getRoot();
  iterators_->words = checked(icu::BreakIterator::createWordInstance(root, status), status);
  iterators_->sentences = checked(icu::BreakIterator::createSentenceInstance(root, status), status);
}

BoundaryFinder::~BoundaryFinder() = default;

const Boundaries& BoundaryFinder::of(std::string_view paragraph) {
  const BothForms text{paragraph,
                       icu::UnicodeString::fromUTF8(icu::StringPiece(
                           paragraph.data(), static_cast<std::int32_t>(paragraph.size())))};
  find(*iterators_->words, text, false, found_.words);
  find(*iterators_->sentences, text, true, found_.sentences);
  return found_;
}

const std::string& icu_version() {
  static const std::string version = [] {
    UVersionInfo numbers;
    u_getVersion(numbers);
    char text[U_MAX_VERSION_STRING_LENGTH];
    u_versionToString(numbers, text);
    return std::string(text);
  }();
  return version;
}

}  // namespace ablate
