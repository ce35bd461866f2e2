#include "harness/run/progress/printable_stream.h"

#include <algorithm>

#include "harness/run/progress/text.h"

namespace ablate::run {
namespace {

bool is_plain(char c) { return (c >= ' ' && c <= '~') || c == '\n'; }

/// How many bytes at the end may begin a character that is not complete.
std::size_t begun_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;  // continues one
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}

}  // namespace

PrintableBuffer::int_type PrintableBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof()))
    return traits_type::not_eof(character);
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize count) {
  if (waiting_.empty() && std::all_of(text, text + count, is_plain))
    return target_.sputn(text, count);
  waiting_.append(text, static_cast<std::size_t>(count));
  return pass_on(false) ? count : 0;
}

int PrintableBuffer::sync() { return target_.pubsync(); }

bool PrintableBuffer::pass_on(bool end) {
  const std::size_t complete = waiting_.size() - (end ? 0 : begun_character(waiting_));
  const std::string clean = printable_lines(std::string_view(waiting_).substr(0, complete));
  waiting_.erase(0, complete);
  const auto size = static_cast<std::streamsize>(clean.size());
  return target_.sputn(clean.data(), size) == size;
}

std::ostream for_drawing(std::ostream& stream) {
  const auto* const printable = dynamic_cast<const PrintableBuffer*>(stream.rdbuf());
  return std::ostream(printable == nullptr ? stream.rdbuf() : &printable->target());
}

}  // namespace ablate::run
