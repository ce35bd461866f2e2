#include "harness/data/text/mark_rule.h"

#include <cstdint>
#include <cstring>

#include "harness/base/text/boundaries.h"

namespace ablate::data {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// The offset at or after `at` of the next byte that is not ASCII; the text's size where there is none.
std::size_t next_beyond_ascii(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (word & kHighBits) break;
  }
  while (at < text.size() && is_ascii(text[at])) ++at;
  return at;
}

/// A character and its length in bytes.
struct Character {
  char32_t code;
  std::size_t size;
};

/// The character at `at`, which is not ASCII; U+FFFD, of one byte, where its bytes are no UTF-8.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC0 || size > text.size() - at) return {0xFFFD, 1};
  char32_t code = byte(0) & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1};
    code = code << 6 | (byte(i) & 0x3F);
  }
  return {code, size};
}

/// Whether what is before `at` ends a sentence by the rule of ASCII, as in 'He left."'.
bool follows_stop(std::string_view text, std::size_t at) {
  const std::size_t stop = text.substr(0, at).find_last_not_of("\"')]}");
  return stop != text.npos && std::strchr(".!?", text[stop]) != nullptr;
}

/// Whether a character may be one that the rule of ASCII does not know.
bool may_be_unknown(char32_t code) { return boundary_traits(code) != 0; }

/// The number of four hexadecimal digits; 0, which is in ASCII, where they are no such number.
char32_t escaped(std::string_view digits) {
  char32_t code = 0;
  for (const char c : digits.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    const bool letter = lower >= 'a' && lower <= 'f';
    if (!letter && (c < '0' || c > '9')) return 0;
    code = code * 16 + static_cast<char32_t>(letter ? lower - 'a' + 10 : c - '0');
  }
  return code;
}

bool may_be_unknown_escape(char32_t code) {
  const bool surrogate =
      code >= 0xD800 && code < 0xE000;  // half of a character that may be anything
  return surrogate || (code >= 0x80 && may_be_unknown(code));
}

}  // namespace

std::string unicode_marks() { return "UAX 29, ICU " + icu_version(); }

bool ascii_rule_covers(std::string_view text) {
  for (std::size_t at = next_beyond_ascii(text, 0); at < text.size();
       at = next_beyond_ascii(text, at)) {
    const Character character = character_at(text, at);
    const std::uint8_t traits = boundary_traits(character.code);
    if (traits & ~closes) return false;
    if (traits != 0 && follows_stop(text, at)) return false;
    at += character.size;
  }
  return true;
}

bool may_need_unicode_rule(std::string_view bytes, bool escapes) {
  for (std::size_t at = next_beyond_ascii(bytes, 0); at < bytes.size();
       at = next_beyond_ascii(bytes, at)) {
    const Character character = character_at(bytes, at);
    if (may_be_unknown(character.code)) return true;
    at += character.size;
  }
  if (!escapes) return false;
  for (std::size_t at = bytes.find("\\u"); at != bytes.npos; at = bytes.find("\\u", at + 2))
    if (may_be_unknown_escape(escaped(bytes.substr(at + 2)))) return true;
  return false;
}

}  // namespace ablate::data
