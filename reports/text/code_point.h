// The code points of valid UTF-8, one character at a time.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace ablate::reports {

/// The length in bytes of the character that begins at `at`. Requires: valid UTF-8.
inline std::size_t length_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(length, text.size() - at);
}

/// The code point of one character. Requires: valid UTF-8.
inline std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(character[i]) & 0xFFu; };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
    case 3:
      return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    default:
      break;
  }
  return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 |
         (byte(3) & 0x3Fu);
}

}  // namespace ablate::reports
