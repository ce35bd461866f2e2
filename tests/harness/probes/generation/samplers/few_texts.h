// Languages of so few texts that everything about them can be counted: the exact predictor in place of
// a model.

#pragma once

#include <boost/math/distributions/chi_squared.hpp>

#include <cmath>
#include <map>
#include <vector>

#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes::testing {

/// A language of a few texts, from the begin token to the end token.
class FewTexts {
 public:
  using Text = std::vector<Token>;

  /// All texts of `shortest` to `longest` of the `ordinary` tokens, with probabilities of very different
  /// sizes that `seed` draws.
  FewTexts(Token ordinary, std::size_t shortest, std::size_t longest, std::uint64_t seed)
      : vocabulary_{.ordinary = ordinary} {
    Rng rng(seed);
    double total = 0;
    std::vector<Text> open = {{begin_token}};
    for (std::size_t length = 0; length <= longest; ++length) {
      std::vector<Text> longer;
      for (const Text& text : open) {
        if (length >= shortest) {
          Text ended = text;
          ended.push_back(end_token);
          total += texts_[ended] = 0.05 + std::pow(rng.uniform(), 3);
        }
        for (Token token = special_count; token < special_count + ordinary; ++token) {
          longer.push_back(text);
          longer.back().push_back(token);
        }
      }
      open = std::move(longer);
    }
    for (auto& [text, probability] : texts_) probability /= total;
  }

  const std::map<Text, double>& texts() const { return texts_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }

  /// The exact predictor of the next token, or of masks given both sides.
  TokenSource source(Generation generation, std::uint64_t seed = 1, double temperature = 1) const {
    return {.predict =
                [this, generation](std::span<const std::span<const Token>> read,
                                   std::span<const Place> places) {
                  std::vector<float> logits;
                  for (const Place& place : places)
                    for (const double mass :
                         generation == Generation::ancestral
                             ? following(read[place.document].first(place.position + 1))
                             : standing(read[place.document], place.position))
                      logits.push_back(mass > 0 ? static_cast<float>(std::log(mass)) : -1e30f);
                  return logits;
                },
            .vocabulary = vocabulary_,
            .temperature = temperature,
            .rng = Rng(seed)};
  }

  /// A text of `count` masks.
  static UnfinishedText masked(std::size_t count) {
    UnfinishedText text{{begin_token}, 1};
    text.tokens.resize(1 + count, mask_token);
    text.tokens.push_back(end_token);
    return text;
  }

 private:
  std::vector<double> nothing() const {
    return std::vector<double>(static_cast<std::size_t>(vocabulary_.size()), 0.0);
  }

  /// P(start, then each token).
  std::vector<double> following(std::span<const Token> start) const {
    std::vector<double> mass = nothing();
    for (const auto& [text, probability] : texts_)
      if (text.size() > start.size() && std::equal(start.begin(), start.end(), text.begin()))
        mass[static_cast<std::size_t>(text[start.size()])] += probability;
    return mass;
  }

  /// P(what is not masked, and each token at the position).
  std::vector<double> standing(std::span<const Token> read, std::size_t position) const {
    std::vector<double> mass = nothing();
    for (const auto& [text, probability] : texts_) {
      bool fits = text.size() == read.size();
      for (std::size_t i = 0; fits && i < read.size(); ++i)
        fits = i == position || read[i] == mask_token || read[i] == text[i];
      if (fits) mass[static_cast<std::size_t>(text[position])] += probability;
    }
    return mass;
  }

  Vocabulary vocabulary_;
  std::map<Text, double> texts_;
};

/// The probability that samples of the language are at least as far from their expected counts as
/// these, by Pearson's test over all of its texts; 0 where one is no text of it.
inline double fit(const FewTexts& language, const std::vector<Sample>& samples) {
  std::map<FewTexts::Text, double> counts;
  for (const Sample& sample : samples) {
    if (!language.texts().contains(sample.tokens)) return 0;
    ++counts[sample.tokens];
  }
  double statistic = 0;
  for (const auto& [text, probability] : language.texts()) {
    const double expected = probability * static_cast<double>(samples.size());
    statistic += (counts[text] - expected) * (counts[text] - expected) / expected;
  }
  const boost::math::chi_squared law(static_cast<double>(language.texts().size() - 1));
  return boost::math::cdf(boost::math::complement(law, statistic));
}

/// The texts of a sampler of the registry.
inline std::vector<Sample> drawn(std::string_view sampler, const TokenSource& source,
                                 const std::vector<UnfinishedText>& texts, std::size_t length = 0,
                                 const Json& options = Json::object(), std::int64_t rounds = 0) {
  const SamplerSpec& spec = sampler_named(sampler);
  return drawn_by(spec, source,
                  {.texts = texts,
                   .length = length,
                   .rounds = rounds,
                   .options = Params(spec.params, options)});
}

}  // namespace ablate::probes::testing
