#include "harness/probes/cloze/questions.h"

#include <algorithm>
#include <cmath>

namespace ablate::probes {
namespace {

/// The tokens of a document between the begin token and the end token, cut to fit.
std::span<const Token> text_of(std::span<const Token> document, std::size_t longest) {
  const std::size_t shown = std::min(document.size(), longest);
  if (shown == 0) return {};
  std::span<const Token> text = document.first(shown).subspan(1);
  return !text.empty() && text.back() == end_token ? text.first(text.size() - 1) : text;
}

/// log P(tokens after the begin token), where `hidden` of them from `first` on, and those that are
/// masks, may be any tokens that do not end the document.
double log_probability_of(const Chain& chain, std::span<const Token> tokens, std::size_t first,
                          std::size_t hidden) {
  std::vector<Token> known(tokens.begin(), tokens.end());
  std::ranges::replace(known, Token{mask_token}, Token{special_count});
  Evidence evidence = emission_likelihood(chain, known);
  const auto size = static_cast<std::size_t>(chain.composite_states());
  const auto states = static_cast<std::size_t>(chain.states);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool masked = tokens[at] == mask_token || (at >= first && at < first + hidden);
    for (std::size_t i = 0; masked && i < size; ++i)
      evidence[at * size + i] = i % states == states - 1 ? 0 : 1;
  }
  return log_probability(chain, static_cast<std::int64_t>(tokens.size()), evidence, true);
}

}  // namespace

Cloze cloze_of(Question question, std::span<const Token> document, std::size_t longest) {
  const std::span<const Token> text = text_of(document, longest);
  const std::size_t third = text.size() / 3, half = text.size() / 2;
  if (question == Question::continuation) return {document.first(1 + half), text.subspan(half), {}};
  Cloze cloze{document.first(1 + third), text.subspan(third, third), {}};
  if (question == Question::infill)
    cloze.right = document.first(std::min(document.size(), longest)).subspan(1 + 2 * third);
  return cloze;
}

bool cloze_fits(std::span<const Token> document, std::size_t longest) {
  const std::span<const Token> text = text_of(document, longest);
  return std::ssize(text) + 1 >= kFewestTokens &&
         std::all_of(text.begin(), text.end(), [](Token token) { return token >= special_count; });
}

double exact_cost(const Chain& chain, const Cloze& cloze, ClozeFormat format) {
  const std::size_t first = cloze.left.size() - 1, count = cloze.target.size();
  std::vector<Token> tokens;  // after the begin token
  for (const std::span<const Token> part : {cloze.left.subspan(1), cloze.target})
    tokens.insert(tokens.end(), part.begin(), part.end());
  const bool right = reads_right(format) && !cloze.right.empty();
  if (right) tokens.insert(tokens.end(), cloze.right.begin(), cloze.right.end());
  const double all = log_probability_of(chain, tokens, 0, 0);
  if (!right && !is_told_length(format))
    return log_probability_of(chain, std::span(tokens).first(first), 0, 0) - all;
  return log_probability_of(chain, tokens, first, count) - all;
}

std::vector<double> exact_first(const Chain& chain, std::span<const Token> left, std::size_t count,
                                std::span<const Token> right, ClozeFormat format) {
  const bool shown = reads_right(format) && !right.empty();
  const std::size_t hidden = shown || is_told_length(format) ? count - 1 : 0;
  const std::size_t first = left.size() - 1;
  std::vector<Token> tokens(left.begin() + 1, left.end());
  tokens.resize(tokens.size() + 1 + hidden, special_count);
  if (shown) tokens.insert(tokens.end(), right.begin(), right.end());
  const bool known = shown || is_told_length(format);
  const double all = known ? log_probability_of(chain, tokens, first, 1 + hidden)
                           : log_probability_of(chain, std::span(tokens).first(first), 0, 0);
  if (!std::isfinite(all)) return {};  // no document has such tokens around the blank
  std::vector<double> probabilities;
  for (Token token = 0; token < chain.ordinary; ++token) {
    tokens[first] = special_count + token;
    probabilities.push_back(std::exp(log_probability_of(chain, tokens, first + 1, hidden) - all));
  }
  return probabilities;
}

}  // namespace ablate::probes
