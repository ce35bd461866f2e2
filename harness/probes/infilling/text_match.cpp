#include "harness/probes/infilling/text_match.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ablate::probes {
namespace {

constexpr std::string_view kWhite = " \t\r\n\f\v";

std::string_view stripped(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kWhite) + 1);
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

double edit_similarity(std::string_view text, std::string_view reference) {
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
