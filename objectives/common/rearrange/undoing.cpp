#include "objectives/common/rearrange/undoing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

using Size = std::size_t;
using Tokens = std::span<const Token>;

/// A document's part, split into [begin token] words [end token].
struct DocumentPart {
  Tokens tokens;  // words and end token
  Tokens words;
  bool begins = false;
  bool ends = false;
};

DocumentPart part_of(Tokens tokens) {
  const bool begins = !tokens.empty() && tokens.front() == begin_token;
  tokens = tokens.subspan(begins);
  const bool ends = !tokens.empty() && tokens.back() == end_token;
  return {tokens, tokens.first(tokens.size() - ends), begins, ends};
}

double log_of(const Chain& language, Tokens tokens, bool starts_document) {
  return log_probability(language, static_cast<std::int64_t>(tokens.size()),
                         emission_likelihood(language, tokens), starts_document);
}

double weight_of(const Example& example) {
  return static_cast<double>(std::count_if(example.weights.begin(), example.weights.end(),
                                           [](float weight) { return weight > 0; }));
}

/// Sets the likelihood of a word that is not shown: 1 in every state except the end of a document.
void unseen(const Chain& language, double* evidence) {
  const auto n = static_cast<Size>(language.states);
  for (Size z = 0; z < static_cast<Size>(language.composite_states()); ++z)
    evidence[z] = z % n + 1 < n ? 1 : 0;
}

double log_sum(std::span<const double> logs) {
  const double maximum = *std::max_element(logs.begin(), logs.end());
  if (maximum == kImpossible) return maximum;
  double total = 0;
  for (const double value : logs) total += std::exp(value - maximum);
  return maximum + std::log(total);
}

/// A normalised distribution over states and the logarithm of its mass.
struct Scaled {
  std::vector<double> distribution;
  double log_mass = kImpossible;
};

/// to = to * by + other * other_by, where `by` and `other_by` are likelihoods by state.
void combine(Scaled& to, std::span<const double> by, const Scaled& other,
             std::span<const double> other_by) {
  const double maximum = std::max(to.log_mass, other.log_mass);
  if (maximum == kImpossible) return;
  const double own = std::exp(to.log_mass - maximum), its = std::exp(other.log_mass - maximum);
  double total = 0;
  for (Size z = 0; z < by.size(); ++z)
    total += to.distribution[z] =
        own * to.distribution[z] * by[z] + its * other.distribution[z] * other_by[z];
  for (double& value : to.distribution) value /= total > 0 ? total : 1;
  to.log_mass = maximum + std::log(total);
}

/// log of the sum over all texts of `words` words of P(text) times the number of ways in which
/// `left` is a subsequence of it: dynamic programming over words read and words of `left` found.
/// `first`: the text's first word if it is known, else empty.
double log_of_left(const Chain& language, DocumentPart left, Size words, Tokens first) {
  const auto size = static_cast<Size>(language.composite_states());
  const Evidence seen = emission_likelihood(language, left.tokens);
  const auto seen_at = [&](Size i) { return std::span(seen).subspan(i * size, size); };
  std::vector<double> any(size), known = any;
  unseen(language, any.data());
  if (!first.empty()) known = emission_likelihood(language, first);

  const Scaled none{std::vector<double>(size), kImpossible};
  std::vector<Scaled> found(left.words.size() + 1, none);  // by words of `left` found
  found[0] = {predicted(language, 1, std::vector<double>(size, 1.0), left.begins), 0};
  for (Size t = 0; t < words; ++t) {
    if (t > 0)
      for (Scaled& state : found)
        state.distribution = transition_step(language, state.distribution);
    for (Size j = left.words.size() + 1; j-- > 0;)
      combine(found[j], t == 0 && !first.empty() ? known : any, j > 0 ? found[j - 1] : none,
              j > 0 ? seen_at(j - 1) : any);
  }
  if (!left.ends) return found.back().log_mass;
  found.back().distribution = transition_step(language, found.back().distribution);
  combine(found.back(), seen_at(left.words.size()), none, any);
  return found.back().log_mass;
}

/// log of the number of ways in which `left` is a subsequence of `words`.
double log_ways(Tokens left, Tokens words) {
  std::vector<double> logs(left.size() + 1, kImpossible);
  logs[0] = 0;
  for (const Token word : words)
    for (Size j = left.size(); j-- > 0;)
      if (left[j] == word) logs[j + 1] = log_sum(std::array{logs[j], logs[j + 1]});
  return logs.back();
}

}  // namespace

Loss optimum_of_masked(const Chain& language, const Example& example) {
  const DocumentPart text = part_of(example.targets), read = part_of(example.inputs);
  const auto size = static_cast<Size>(language.composite_states());
  Evidence evidence = emission_likelihood(language, read.tokens);
  for (Size t = 0; t < read.words.size(); ++t)
    if (read.words[t] == mask_token) unseen(language, evidence.data() + t * size);
  const double weight = weight_of(example);
  if (weight == 0) return {};
  return {log_probability(language, static_cast<std::int64_t>(read.tokens.size()), evidence,
                          read.begins) -
              log_of(language, text.tokens, text.begins),
          weight};
}

Loss optimum_of_deleted(const Chain& language, const Example& example) {
  const DocumentPart text = part_of(example.targets), left = part_of(example.inputs);
  const double weight = weight_of(example);
  if (weight == 0) return {};
  if (text.words.empty()) return {0, weight};  // the end token is shown
  // Without a begin token the first word may be unscored; it is then read before the second.
  const bool first_is_read = !text.begins && !(example.weights.front() > 0);
  const double joint =
      log_of(language, text.tokens, text.begins) + log_ways(left.words, text.words);
  return {log_of_left(language, left, text.words.size(), text.words.first(first_is_read)) - joint,
          weight};
}

Loss optimum_of_rotated(double probability, const Chain& language, const Example& example) {
  const DocumentPart text = part_of(example.targets), read = part_of(example.inputs);
  const double weight = weight_of(example);
  if (weight == 0) return {};
  if (text.words.empty()) return {0, weight};
  const Size words = text.words.size();
  double ways = std::ranges::equal(text.words, read.words) ? 1 - probability : 0;
  std::vector<double> logs = {std::log(1 - probability) +
                              log_of(language, read.tokens, read.begins)};
  std::vector<Token> tokens(read.tokens.begin(), read.tokens.end());
  const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(words);
  const double each = probability / static_cast<double>(words);
  for (Size i = 0; i < words; ++i) {
    logs.push_back(std::log(each) + log_of(language, tokens, read.begins));
    if (std::equal(text.words.begin(), text.words.end(), tokens.begin())) ways += each;
    std::rotate(tokens.begin(), tokens.begin() + 1, last);
  }
  return {log_sum(logs) - std::log(ways) - log_of(language, text.tokens, text.begins), weight};
}

}  // namespace ablate::objectives
