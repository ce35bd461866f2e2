#include "harness/base/text/unicode.h"

#include <fmt/core.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <utf8.h>

#include <algorithm>

#include "harness/base/utf8.h"

namespace ablate {
namespace {

UChar32 code_of(std::string_view character) {
  auto at = character.begin();
  return static_cast<UChar32>(utf8::unchecked::next(at));
}

}  // namespace

std::string case_folded(std::string_view text) {
  std::string folded;
  icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())})
      .foldCase()
      .toUTF8String(folded);
  return folded;
}

std::string identifier_folded(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* const folding = icu::Normalizer2::getNFKCCasefoldInstance(error);
  std::string folded;
  icu::StringByteSink<std::string> sink(&folded);
  if (U_SUCCESS(error))
    folding->normalizeUTF8(0, {text.data(), static_cast<std::int32_t>(text.size())}, sink, nullptr,
                           error);
  if (U_FAILURE(error)) return case_folded(text);  // ICU without its data
  return folded;
}

std::string with_visible_characters(std::string_view text) {
  std::string visible;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);  // 0: of no character
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    const UChar32 code = length == 0 ? 0 : code_of(character);
    const bool hidden =
        code != ' ' && (U_GET_GC_MASK(code) & (U_GC_Z_MASK | U_GC_M_MASK | U_GC_C_MASK)) != 0;
    if (length > 0 && hidden)
      visible += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    else
      visible += character;
  }
  return visible;
}

bool is_white_space(std::string_view character) { return u_isspace(code_of(character)) != 0; }

bool is_punctuation(std::string_view character) {
  const UChar32 code = code_of(character);
  const bool ascii_symbol =
      code < 0x80 && u_charType(code) >= U_MATH_SYMBOL && u_charType(code) <= U_OTHER_SYMBOL;
  return u_ispunct(code) != 0 || ascii_symbol;
}

std::string without(std::string_view text, bool (*removed)(std::string_view character)) {
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);  // 0: of no character
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || !removed(character)) kept += character;
    text.remove_prefix(character.size());
  }
  return kept;
}

bool is_white(std::string_view text) { return without(text, is_white_space).empty(); }

}  // namespace ablate
