// Reads JSON of a form that is known, piece by piece, without making values of it: for long records
// that have one form.

#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ablate {

/// Takes the pieces of a JSON text from its begin. A piece that is not what comes next is refused,
/// and then nothing more can be said of the text: what is refused may still be JSON.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  /// How many bytes were taken.
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }
  bool done() const { return at_ == end_; }

  /// Takes exactly a literal, or nothing. Its length is part of the type, so that no function is called
  /// to compare it.
  template <std::size_t size>
  bool takes(const char (&expected)[size]) {
    constexpr std::size_t kLength = size - 1;  // without the 0
    if (static_cast<std::size_t>(end_ - at_) < kLength || !same<kLength>(at_, expected))
      return false;
    at_ += kLength;
    return true;
  }

  /// Takes a number as it is written. `exponent`: its end, from its e or E on; empty where it has none.
  bool takes_number(std::string_view& text, std::string_view& exponent) {
    const char* at = at_ + (next_is(at_, '-') ? 1 : 0);
    if (!is_digit(at)) return false;
    at = *at == '0' ? at + 1 : past_digits(at);
    if (next_is(at, '.')) {
      if (!is_digit(++at)) return false;
      at = past_digits(at);
    }
    const char* const mark = at;
    if (next_is(at, 'e') || next_is(at, 'E')) {
      ++at;
      if (next_is(at, '+') || next_is(at, '-')) ++at;
      if (!is_digit(at)) return false;
      at = past_digits(at);
    }
    text = {at_, static_cast<std::size_t>(at - at_)};
    exponent = {mark, static_cast<std::size_t>(at - mark)};
    at_ = at;
    return true;
  }

  /// Takes a number that `Number` can hold.
  template <class Number>
  bool takes_number(Number& number) {
    std::string_view text, exponent;
    if (!takes_number(text, exponent)) return false;
    const auto [past, fault] = std::from_chars(text.begin(), text.end(), number);
    return fault == std::errc() && past == text.end();
  }

  bool takes_bool(bool& value) {
    value = at_ != end_ && *at_ == 't';
    return value ? takes("true") : takes("false");
  }

  /// Takes a string of printable ASCII without escapes. `text`: what is between its quotes.
  bool takes_text(std::string_view& text) {
    if (!takes("\"")) return false;
    const char* const first = at_;
    while (has_word(at_) && is_plain(word_at(at_))) at_ += kWord;
    while (at_ != end_ && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
    text = {first, static_cast<std::size_t>(at_ - first)};
    return takes("\"");
  }

 private:
  bool next_is(const char* at, char expected) const { return at != end_ && *at == expected; }
  bool is_digit(const char* at) const { return at != end_ && *at >= '0' && *at <= '9'; }

  const char* past_digits(const char* at) const {
    while (has_word(at) && is_digits(word_at(at))) at += kWord;
    while (is_digit(at)) ++at;
    return at;
  }

  /// Compares in pieces that need no call of a function.
  template <std::size_t length>
  static bool same(const char* a, const char* b) {
    constexpr std::size_t kPiece = 16;
    if constexpr (length > kPiece)
      return std::memcmp(a, b, kPiece) == 0 && same<length - kPiece>(a + kPiece, b + kPiece);
    else
      return std::memcmp(a, b, length) == 0;
  }

  // Eight letters are looked at together, as the bytes of a number.
  static constexpr std::ptrdiff_t kWord = 8;
  static constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x80 * kOnes;

  bool has_word(const char* at) const { return end_ - at >= kWord; }

  static std::uint64_t word_at(const char* at) {
    std::uint64_t word;
    std::memcpy(&word, at, kWord);
    return word;
  }

  static bool is_digits(std::uint64_t word) {
    constexpr std::uint64_t kUpper = 0xF0 * kOnes, kZeros = '0' * kOnes;
    return (word & kUpper) == kZeros && ((word + 6 * kOnes) & kUpper) == kZeros;
  }

  /// Whether all are printable ASCII but quotes and backslashes. May be false where they are, after a
  /// letter that is not: the subtractions borrow from the next.
  static bool is_plain(std::uint64_t word) {
    const auto none_is = [](std::uint64_t text, char letter) {
      const std::uint64_t different = text ^ (static_cast<unsigned char>(letter) * kOnes);
      return ((different - kOnes) & ~different & kHighs) == 0;
    };
    const bool none_below = ((word - ' ' * kOnes) & ~word & kHighs) == 0;
    const bool none_above = ((word | (word + kOnes)) & kHighs) == 0;  // 0x7F, and no ASCII
    return none_below && none_above && none_is(word, '"') && none_is(word, '\\');
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

}  // namespace ablate
