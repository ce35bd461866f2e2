// Counts n-grams.

#include "harness/probes/generation/variety.h"

#include <string_view>
#include <unordered_set>

namespace ablate::probes {
namespace {

using Texts = std::vector<std::vector<Token>>;

/// A run of tokens as a view of its bytes. Requires: the text outlives the view.
std::string_view run_at(const std::vector<Token>& text, std::size_t first, std::size_t length) {
  return {reinterpret_cast<const char*>(text.data() + first), length * sizeof(Token)};
}

Texts without_specials(std::span<const std::vector<Token>> texts) {
  Texts plain;
  for (const std::vector<Token>& text : texts) {
    std::vector<Token>& kept = plain.emplace_back();
    for (const Token token : text)
      if (token >= special_count) kept.push_back(token);
  }
  return plain;
}

struct Count {
  std::size_t runs = 0;
  std::size_t distinct = 0;

  double distinct_fraction() const {
    return runs ? static_cast<double>(distinct) / static_cast<double>(runs) : 0;
  }
};

/// Counts the runs of `length` tokens, and the distinct ones over all texts or within each text.
Count count_runs(const Texts& texts, std::size_t length, bool within_texts) {
  Count count;
  std::unordered_set<std::string_view> seen;
  for (const std::vector<Token>& text : texts) {
    if (within_texts) seen.clear();
    for (std::size_t first = 0; first + length <= text.size(); ++first) {
      ++count.runs;
      count.distinct += seen.insert(run_at(text, first, length)).second;
    }
  }
  return count;
}

}  // namespace

Variety variety(std::span<const std::vector<Token>> texts) {
  const Texts plain = without_specials(texts);
  Variety result;
  for (std::size_t n = 1; n <= result.distinct.size(); ++n)
    result.distinct[n - 1] = count_runs(plain, n, false).distinct_fraction();
  const Count fours = count_runs(plain, 4, true);
  result.repetition = fours.runs ? 1 - fours.distinct_fraction() : 0;
  return result;
}

}  // namespace ablate::probes
