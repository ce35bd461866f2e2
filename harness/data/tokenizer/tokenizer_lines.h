// How SentencePiece is given text, in training and in use alike.

#pragma once

#include <algorithm>
#include <string_view>

namespace ablate::data {

/// What SentencePiece writes for a space (U+2581), and a sign that it keeps for itself (U+2585).
constexpr std::string_view kSpaceSign = "\xE2\x96\x81";
constexpr std::string_view kReservedSign = "\xE2\x96\x85";

/// Its trainer counts a word's characters in 16 bits, and ends the process where they do not fit.
constexpr std::size_t kLongestLine = 32768;  // bytes

/// Calls `take(line, newline)` for every line of `text`, without its newline and whether it had
/// one. A longer line than kLongestLine is cut, between characters.
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
