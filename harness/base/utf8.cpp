#include "harness/base/utf8.h"

#include <utf8.h>

#include <algorithm>

namespace ablate {
namespace {

/// A range of code points, both ends included.
struct Range {
  char32_t first, last;
};

// Source: Unicode, general category Cc and property Bidi_Control.
constexpr Range kControls[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C},
                               {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (!text.empty() && static_cast<unsigned char>(text[0]) < 0x80) return 1;
  const std::string_view head = text.substr(0, 4);  // no character is longer
  auto at = head.begin();
  if (utf8::find_invalid(at, head.end()) == at) return 0;
  utf8::unchecked::next(at);
  return static_cast<std::size_t>(at - head.begin());
}

std::size_t first_invalid_utf8(std::string_view text) {
  const auto invalid = utf8::find_invalid(text.begin(), text.end());
  return invalid == text.end() ? text.npos : static_cast<std::size_t>(invalid - text.begin());
}

bool controls_terminal(std::string_view character) {
  auto at = character.begin();
  const char32_t code = utf8::unchecked::next(at);
  return std::any_of(std::begin(kControls), std::end(kControls),
                     [&](const Range& range) { return range.first <= code && code <= range.last; });
}

std::size_t characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string clipped(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (continues(text[end])) continue;
    if (++seen > width) break;
  }
  return std::string(text.substr(0, end));
}

std::string abbreviated(std::string_view text, std::size_t width, std::string_view gap) {
  const std::size_t count = characters(text), between = characters(gap);
  if (count <= width) return std::string(text);
  if (width < between + 2) return clipped(text, width);
  const std::size_t head = (width - between + 1) / 2, tail = width - between - head;
  const std::size_t cut = clipped(text, count - tail).size();
  return clipped(text, head) + std::string(gap) + std::string(text.substr(cut));
}

}  // namespace ablate
