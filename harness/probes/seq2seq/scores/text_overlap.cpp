#include "harness/probes/seq2seq/scores/text_overlap.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "harness/base/text/unicode.h"
#include "harness/base/utf8.h"

namespace ablate::probes {
namespace {

constexpr double kBetaSquared = 4;

/// The words of a text as SQuAD compares them.
std::vector<std::string> compared_words(std::string_view text) {
  const std::string plain = without(case_folded(text), is_punctuation);
  std::vector<std::string> words(1);
  for (std::string_view rest = plain; !rest.empty();) {  // valid UTF-8 once it is folded
    const std::string_view character = rest.substr(0, utf8_length(rest));
    rest.remove_prefix(character.size());
    if (!is_white_space(character))
      words.back() += character;
    else if (!words.back().empty())
      words.emplace_back();
  }
  std::erase_if(words, [](const std::string& word) {
    return word.empty() || word == "a" || word == "an" || word == "the";
  });
  return words;
}

std::vector<std::string> sorted_words(std::string_view text) {
  std::vector<std::string> words = compared_words(text);
  std::sort(words.begin(), words.end());
  return words;
}

/// A text without white space, and where each of its characters starts; the last entry is its end.
struct Characters {
  std::string text;
  std::vector<std::size_t> starts;

  std::size_t count() const { return starts.size() - 1; }
};

Characters characters_of(std::string_view given) {
  Characters characters;
  for (const char byte : without(given, is_white_space)) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    if (!continues) characters.starts.push_back(characters.text.size());
    characters.text += byte;
  }
  characters.starts.push_back(characters.text.size());
  return characters;
}

/// How often each n-gram of an order occurs. The result refers to `characters`.
std::map<std::string_view, std::int64_t> grams_of(const Characters& characters, std::size_t order) {
  std::map<std::string_view, std::int64_t> grams;
  const std::string_view all = characters.text;
  for (std::size_t i = 0; i + order <= characters.count(); ++i) {
    const std::size_t first = characters.starts[i], end = characters.starts[i + order];
    ++grams[all.substr(first, end - first)];
  }
  return grams;
}

std::int64_t shared_of(const std::map<std::string_view, std::int64_t>& text,
                       const std::map<std::string_view, std::int64_t>& reference) {
  std::int64_t shared = 0;
  for (const auto& [gram, count] : text)
    if (const auto found = reference.find(gram); found != reference.end())
      shared += std::min(count, found->second);
  return shared;
}

}  // namespace

std::string squad_normalised(std::string_view text) {
  return fmt::format("{}", fmt::join(compared_words(text), " "));
}

bool same_answer(std::string_view text, std::string_view reference) {
  return squad_normalised(text) == squad_normalised(reference);
}

double word_f1(std::string_view text, std::string_view reference) {
  const std::vector<std::string> written = sorted_words(text), right = sorted_words(reference);
  if (written.empty() || right.empty()) return written.empty() && right.empty() ? 1 : 0;
  std::vector<std::string> shared;
  std::set_intersection(written.begin(), written.end(), right.begin(), right.end(),
                        std::back_inserter(shared));
  return 2 * static_cast<double>(shared.size()) /
         static_cast<double>(written.size() + right.size());
}

ChrfCounts& ChrfCounts::operator+=(const ChrfCounts& other) {
  for (std::size_t n = 0; n < kOrders; ++n) {
    text[n] += other.text[n];
    reference[n] += other.reference[n];
    shared[n] += other.shared[n];
  }
  return *this;
}

double ChrfCounts::score() const {
  double precision = 0, recall = 0, orders = 0;
  for (std::size_t n = 0; n < kOrders; ++n) {
    if (text[n] == 0 || reference[n] == 0) continue;
    precision += static_cast<double>(shared[n]) / static_cast<double>(text[n]);
    recall += static_cast<double>(shared[n]) / static_cast<double>(reference[n]);
    ++orders;
  }
  if (!(precision + recall > 0)) return 0;
  precision /= orders;
  recall /= orders;
  return 100 * (1 + kBetaSquared) * precision * recall / (kBetaSquared * precision + recall);
}

ChrfCounts chrf_counts(std::string_view text, std::string_view reference) {
  const Characters written = characters_of(text), right = characters_of(reference);
  const auto grams = [](const Characters& characters, std::size_t order) {
    const std::size_t count = characters.count();
    return count >= order ? static_cast<std::int64_t>(count - order + 1) : 0;
  };
  ChrfCounts counts;
  for (std::size_t n = 0; n < ChrfCounts::kOrders; ++n) {
    counts.reference[n] = grams(right, n + 1);
    if (counts.reference[n] == 0) continue;
    counts.text[n] = grams(written, n + 1);
    counts.shared[n] = shared_of(grams_of(written, n + 1), grams_of(right, n + 1));
  }
  return counts;
}

}  // namespace ablate::probes
