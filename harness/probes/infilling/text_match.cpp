#include "harness/probes/infilling/text_match.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/base/text/unicode.h"
#include "harness/base/utf8.h"

namespace ablate::probes {
namespace {

/// The characters of a text; a byte that is not UTF-8 is one, too.
std::vector<std::string_view> characters_in(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(text.substr(0, std::max<std::size_t>(utf8_length(text), 1)));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

bool is_space(std::string_view character) {
  return utf8_length(character) > 0 && is_white_space(character);
}

/// The text without the white space at its end, that of any script.
std::string_view stripped(std::string_view text) {
  const std::vector<std::string_view> characters = characters_in(text);
  for (auto last = characters.rbegin(); last != characters.rend() && is_space(*last); ++last)
    text.remove_suffix(last->size());
  return text;
}

std::string_view first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  return stripped(text.substr(0, text.find('\n')));
}

}  // namespace

bool exact_match(std::string_view text, std::string_view reference) {
  return stripped(text) == stripped(reference);
}

bool first_line_match(std::string_view text, std::string_view reference) {
  return first_line(text) == first_line(reference);
}

double edit_similarity(std::string_view given, std::string_view expected) {
  const std::vector<std::string_view> text = characters_in(given),
                                      reference = characters_in(expected);
  const std::size_t longer = std::max(text.size(), reference.size());
  if (longer == 0) return 1;
  std::vector<std::size_t> row(reference.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < reference.size(); ++j) {
      const std::size_t replaced = diagonal + (text[i] == reference[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return 1 - static_cast<double>(row.back()) / static_cast<double>(longer);
}

}  // namespace ablate::probes
