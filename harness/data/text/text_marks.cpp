#include "harness/data/text/text_marks.h"

namespace ablate::data {
namespace {

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

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

}  // namespace ablate::data
