#include "harness/data/text/text_marks.h"

#include <algorithm>

#include "harness/base/text/unicode.h"
#include "harness/base/utf8.h"

namespace ablate::data {
namespace {

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

/// Past the white space that `text` has from `at` on; `lines`: how many lines end in it.
std::size_t past_white_space(std::string_view text, std::size_t at, int& lines) {
  while (at < text.size()) {
    const std::string_view character =
        text.substr(at, std::max<std::size_t>(utf8_length(text.substr(at)), 1));
    if (!is_white_space(character)) break;
    lines += character == "\n";
    at += character.size();
  }
  return at;
}

/// The bytes before the next paragraph of a text: up to the word after the next blank line.
std::size_t paragraph_size(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at)) {
    int lines = 0;
    at = past_white_space(text, at, lines);
    if (lines > 1) return at;
  }
  return text.size();
}

}  // namespace

std::uint8_t Marker::read(std::string_view piece) {
  std::uint8_t marks = no_mark;
  for (const char c : piece) marks = static_cast<std::uint8_t>(marks | read(c));
  return marks;
}

std::uint8_t Marker::read(char c) {
  if (contains(" \t\n\v\f\r", c)) {
    in_word_ = false;
    newlines_ += c == '\n';
    return no_mark;
  }
  const bool starts_word = !in_word_;
  const bool starts_sentence = starts_word && (stopped_ || newlines_ > 1);
  in_word_ = true;
  newlines_ = 0;
  stopped_ = contains(".!?", c) || (stopped_ && !starts_word && contains("\"')]}", c));
  if (starts_sentence) return word_mark | sentence_mark;
  return starts_word ? word_mark : no_mark;
}

std::uint8_t UnicodeMarker::read(std::size_t bytes) {
  std::uint8_t marks = no_mark;
  while (bytes > 0) {
    if (at_ == paragraph_.size()) next_paragraph();
    const std::size_t here = std::min(bytes, paragraph_.size() - at_);
    if (here == 0) break;  // more bytes than the document has
    marks = static_cast<std::uint8_t>(marks | read_paragraph(here));
    bytes -= here;
  }
  return marks;
}

std::uint8_t UnicodeMarker::read_paragraph(std::size_t bytes) {
  at_ += bytes;
  const auto starts = [this](const std::vector<std::size_t>& all, std::size_t& next) {
    const std::size_t before = next;
    while (next < all.size() && all[next] < at_) ++next;
    return next > before;
  };
  const bool word = starts(found_->words, next_word_);
  const bool sentence = starts(found_->sentences, next_sentence_);
  return static_cast<std::uint8_t>((word || sentence ? word_mark : no_mark) |
                                   (sentence ? sentence_mark : no_mark));
}

void UnicodeMarker::next_paragraph() {
  const std::size_t size = paragraph_size(rest_);
  paragraph_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  for (char& c : paragraph_)
    if (c == '\n' || c == '\r') c = ' ';
  found_ = &finder_.of(paragraph_);
  at_ = next_word_ = next_sentence_ = 0;
}

DocumentMarker::DocumentMarker(MarkRule rule) {
  if (rule == MarkRule::unicode) finder_.emplace();
}

void DocumentMarker::mark(std::string_view document, std::span<const Token> tokens,
                          const std::vector<std::string>& pieces,
                          std::vector<std::uint8_t>& marks) {
  const auto piece_of = [&](Token token) -> const std::string& {
    return pieces[static_cast<std::size_t>(token - special_count)];
  };
  if (finder_) {
    UnicodeMarker marker(document, *finder_);
    for (const Token token : tokens) marks.push_back(marker.read(piece_of(token).size()));
  } else {
    Marker marker;
    for (const Token token : tokens) marks.push_back(marker.read(piece_of(token)));
  }
}

}  // namespace ablate::data
