// How likely the targets of fill-in-the-middle are.

#include "objectives/common/rearrange/middle_distribution.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "objectives/common/numbers.h"

namespace ablate::objectives {

namespace {
using Tokens = std::span<const Token>;
using Size = std::size_t;
}  // namespace

std::vector<Size> character_places(Tokens text) {
  const auto continues = [](Token byte) { return ((byte - special_count) & 0xC0) == 0x80; };
  std::vector<Size> places = {0};
  for (Size i = 1; i < text.size(); ++i)
    if (!continues(text[i])) places.push_back(i);
  if (!text.empty()) places.push_back(text.size());
  return places;
}

namespace {

/// The parts of an example, as its marks separate them. In SPM v2 the prefix counts as middle.
struct Source {
  std::vector<Token> prefix, middle, suffix;
  bool transformed = false, suffix_first = false, begins = false, ends = false;

  std::vector<Token> text() const {
    std::vector<Token> all = prefix;
    all.insert(all.end(), middle.begin(), middle.end());
    all.insert(all.end(), suffix.begin(), suffix.end());
    return all;
  }
};

Source source_of(const Example& example) {
  Source source;
  std::vector<Token>* part = &source.prefix;
  for (const Token token : example.targets) {
    if (token == suffix_token && !source.transformed) source.suffix_first = true;
    if (token == prefix_token || token == suffix_token) source.transformed = true;
    if (token == begin_token)
      source.begins = true;
    else if (token == end_token)
      source.ends = true;
    else if (token == prefix_token)
      part = &source.prefix;
    else if (token == suffix_token)
      part = &source.suffix;
    else if (token == middle_token)
      part = &source.middle;
    else if (token != end_middle_token)
      part->push_back(token);
  }
  return source;
}

/// P(form and cuts | the text is transformed), summed over all that give these targets.
double arrangement_probability(const MiddleDistribution& distribution, const Source& source) {
  const std::vector<Token> text = source.text();
  double places = static_cast<double>(text.size()) + 1;
  double first = static_cast<double>(source.prefix.size());
  double second = first + static_cast<double>(source.middle.size());
  if (distribution.characters) {
    const std::vector<Size> all = character_places(text);
    const auto before = [&](double at) {
      return static_cast<double>(std::lower_bound(all.begin(), all.end(), static_cast<Size>(at)) -
                                 all.begin());
    };
    places = static_cast<double>(all.size()), first = before(first), second = before(second);
  }
  const double all_cuts = places * places;
  const double these = (first < second ? 2 : 1) / all_cuts;
  if (distribution.first_form)
    return (source.suffix_first ? distribution.spm_rate : 1 - distribution.spm_rate) * these;
  const double any_prefix = source.prefix.empty() ? (2 * second + 1) / all_cuts : 0;
  return (1 - distribution.spm_rate) * these + distribution.spm_rate * any_prefix;
}

double log_of_tokens(const Chain& language, Tokens tokens, bool starts_document) {
  return log_probability(language, static_cast<std::int64_t>(tokens.size()),
                         emission_likelihood(language, tokens), starts_document);
}

/// log P(first target), which is read but not scored if there is no begin token before it.
double log_of_first(const MiddleDistribution& distribution, const Chain& language,
                    const Source& source, Token first) {
  if (!source.transformed) {
    const double plain = first == end_token ? 1 : 1 - distribution.rate;
    return std::log(plain) + log_of_tokens(language, std::array{first}, false);
  }
  const double ended = std::exp(log_of_tokens(language, std::array<Token, 1>{end_token}, false));
  double form = 1;
  if (distribution.first_form)
    form = source.suffix_first ? distribution.spm_rate : 1 - distribution.spm_rate;
  return std::log(distribution.rate * form * (1 - ended));
}

}  // namespace

Loss optimum_of(const MiddleDistribution& distribution, const Chain& language,
                const Example& example) {
  const Source source = source_of(example);
  std::vector<Token> tokens = source.text();
  Loss loss;
  for (const float weight : example.weights) loss.weight += weight > 0 ? 1 : 0;
  if (loss.weight == 0) return loss;
  if (source.transformed)
    loss.total -= std::log(distribution.rate * arrangement_probability(distribution, source));
  else if (!tokens.empty())
    loss.total -= std::log(1 - distribution.rate);
  if (source.ends) tokens.push_back(end_token);
  loss.total -= log_of_tokens(language, tokens, source.begins);
  if (!source.begins && !(example.weights.front() > 0))
    loss.total += log_of_first(distribution, language, source, example.targets.front());
  return loss;
}

Loss context_free_of(const MiddleDistribution& distribution, std::span<const double> unigram,
                     const Example& example, double tokens) {
  const double targets = tokens + 4 * distribution.rate;
  Loss loss;
  for (Size i = 0; i < example.targets.size(); ++i) {
    const Token target = example.targets[i];
    const bool mark = target >= prefix_token && target <= end_middle_token;
    const auto index =
        target == end_token ? unigram.size() - 1 : static_cast<Size>(target - special_count);
    if (!(example.weights[i] > 0) || (!mark && index >= unigram.size())) continue;
    const double expected = mark ? distribution.rate : tokens * unigram[index];
    loss += {negative_log(expected, targets), 1};
  }
  return loss;
}

}  // namespace ablate::objectives
