// Reads JSON of a form that is known, piece by piece, without making values of it: for long records
// that have one form.

#pragma once

#include <charconv>
#include <cstddef>
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
    if (static_cast<std::size_t>(end_ - at_) < kLength || std::memcmp(at_, expected, kLength) != 0)
      return false;
    at_ += kLength;
    return true;
  }

  /// Takes a number as it is written.
  bool takes_number(std::string_view& text) {
    const char* at = at_ + (next_is(at_, '-') ? 1 : 0);
    if (!is_digit(at)) return false;
    at = *at == '0' ? at + 1 : past_digits(at);
    if (next_is(at, '.')) {
      if (!is_digit(++at)) return false;
      at = past_digits(at);
    }
    if (next_is(at, 'e') || next_is(at, 'E')) {
      ++at;
      if (next_is(at, '+') || next_is(at, '-')) ++at;
      if (!is_digit(at)) return false;
      at = past_digits(at);
    }
    text = {at_, static_cast<std::size_t>(at - at_)};
    at_ = at;
    return true;
  }

  /// Takes a number that `Number` can hold.
  template <class Number>
  bool takes_number(Number& number) {
    std::string_view text;
    if (!takes_number(text)) return false;
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
    while (at_ != end_ && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
    text = {first, static_cast<std::size_t>(at_ - first)};
    return takes("\"");
  }

 private:
  bool next_is(const char* at, char expected) const { return at != end_ && *at == expected; }
  bool is_digit(const char* at) const { return at != end_ && *at >= '0' && *at <= '9'; }

  const char* past_digits(const char* at) const {
    while (is_digit(at)) ++at;
    return at;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

}  // namespace ablate
