// Counts n-grams.

#include "harness/probes/generation/variety.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace ablate::probes {
namespace {

constexpr std::size_t kRepeatedRun = 4;  // tokens

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

/// The first `count` tokens of the texts; nothing where they have fewer.
std::optional<Texts> first_tokens(const Texts& texts, std::size_t count) {
  Texts first;
  for (const std::vector<Token>& text : texts) {
    if (count == 0) break;
    const std::size_t taken = std::min(count, text.size());
    first.emplace_back(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(taken));
    count -= taken;
  }
  return count == 0 ? std::optional(std::move(first)) : std::nullopt;
}

/// Distinct runs of `length` tokens over all runs of the texts. 0 where there are none.
double distinct_fraction(std::span<const std::vector<Token>> texts, std::size_t length) {
  std::size_t runs = 0;
  std::unordered_set<std::string_view> seen;
  for (const std::vector<Token>& text : texts)
    for (std::size_t first = 0; first + length <= text.size(); ++first) {
      ++runs;
      seen.insert(run_at(text, first, length));
    }
  return runs > 0 ? static_cast<double>(seen.size()) / static_cast<double>(runs) : 0;
}

double repetition_of(const Texts& texts) {
  double sum = 0, counted = 0;
  for (const std::vector<Token>& text : texts) {
    if (text.size() < kRepeatedRun) continue;
    sum += 1 - distinct_fraction({&text, 1}, kRepeatedRun);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

}  // namespace

Variety variety(std::span<const std::vector<Token>> texts, std::size_t counted_tokens) {
  const Texts plain = without_specials(texts);
  Variety result{.repetition = repetition_of(plain)};
  const std::optional<Texts> counted = first_tokens(plain, counted_tokens);
  if (!counted) return result;
  result.distinct.emplace();
  for (std::size_t n = 1; n <= result.distinct->size(); ++n)
    (*result.distinct)[n - 1] = distinct_fraction(*counted, n);
  return result;
}

}  // namespace ablate::probes
