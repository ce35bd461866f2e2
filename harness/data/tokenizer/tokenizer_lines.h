// How text is passed to SentencePiece, in training and in use.

#pragma once

#include <algorithm>
#include <string_view>

namespace ablate::data {

/// What SentencePiece writes for a space (U+2581), and a character that it reserves (U+2585).
constexpr std::string_view kSpaceSign = "\xE2\x96\x81";
constexpr std::string_view kReservedSign = "\xE2\x96\x85";

/// The longest line. SentencePiece's trainer counts a word's characters in 16 bits and aborts where
/// they overflow.
constexpr std::size_t kLongestLine = 32768;  // bytes

/// Calls `take(line, newline)` for every line of `text`: the line without its newline, and whether
/// it had one. A line longer than kLongestLine is split between characters.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    if (end > kLongestLine) {
      end = kLongestLine;
      for (int back = 0; back < 3 && continues(end); ++back) --end;
    }
    const bool newline = end < text.size() && text[end] == '\n';
    take(text.substr(0, end), newline);
    text.remove_prefix(end + newline);
  }
}

}  // namespace ablate::data
