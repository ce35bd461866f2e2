#include "objectives/common/optimum/prefix.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

#include "objectives/common/numbers.h"
#include "objectives/common/optimum/hidden_optimum.h"
#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

/// The shortest prefix. In float, as in the reference.
std::int64_t shortest(double target_fraction, std::int64_t maximum) {
  const float tokens = static_cast<float>(1 - 2 * target_fraction) * static_cast<float>(maximum);
  return std::clamp<std::int64_t>(rounded(tokens), 1, maximum);
}

/// The length of a fixed prefix, with at least one token on either side.
std::int64_t fixed_prefix(double fraction, std::int64_t tokens) {
  return std::clamp<std::int64_t>(rounded(fraction * static_cast<double>(tokens)), 1, tokens - 1);
}

}  // namespace

std::int64_t prefix_length(const PrefixDistribution& distribution, std::int64_t tokens, Rng rng) {
  const std::int64_t maximum = tokens - 1;
  if (maximum < 1) return tokens;
  const double draw = rng.uniform();
  const auto among = [&](std::int64_t minimum, double fraction) {
    const auto choices = static_cast<double>(maximum - minimum + 1);
    return std::min(maximum, minimum + static_cast<std::int64_t>(fraction * choices));
  };
  switch (distribution.kind) {
    case PrefixDistribution::Kind::fixed:
      return fixed_prefix(distribution.fraction, tokens);
    case PrefixDistribution::Kind::uniform:
      return among(shortest(distribution.fraction, maximum), draw);
    case PrefixDistribution::Kind::beta:
      break;
  }
  return among(1, boost::math::ibeta_inv(distribution.a, distribution.b, draw));
}

double mean_prefix(const PrefixDistribution& distribution, std::int64_t tokens) {
  const std::int64_t maximum = tokens - 1;
  switch (distribution.kind) {
    case PrefixDistribution::Kind::fixed:
      return static_cast<double>(fixed_prefix(distribution.fraction, tokens));
    case PrefixDistribution::Kind::uniform:
      return static_cast<double>(shortest(distribution.fraction, maximum) + maximum) / 2;
    case PrefixDistribution::Kind::beta:
      break;
  }
  double mean = 1;  // and one for each further token, with the probability that it is read
  for (std::int64_t length = 1; length < maximum; ++length)
    mean += boost::math::ibetac(distribution.a, distribution.b,
                                static_cast<double>(length) / static_cast<double>(maximum));
  return mean;
}

double MeanPrefixes::of(std::int64_t tokens) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [mean, is_new] = known_.try_emplace(tokens);
  if (is_new) mean->second = mean_prefix(distribution_, tokens);
  return mean->second;
}

double target_fraction(const PrefixDistribution& distribution) {
  if (distribution.kind == PrefixDistribution::Kind::beta)
    return distribution.b / (distribution.a + distribution.b);
  return distribution.kind == PrefixDistribution::Kind::fixed ? 1 - distribution.fraction
                                                              : distribution.fraction;
}

Example split_at(std::span<const Token> tokens, std::int64_t prefix) {
  const auto cut = tokens.begin() + prefix;
  Example example{.inputs = {tokens.begin(), cut}, .targets = {cut, tokens.end()}};
  for (const Token target : example.targets)
    example.weights.push_back(target == begin_token ? 0.0f : 1.0f);
  return example;
}

std::vector<Example> prefix_cloze(const Cloze& cloze) {
  Example example;
  example.inputs.assign(cloze.left.begin(), cloze.left.end());
  example.targets.assign(cloze.target.begin(), cloze.target.end());
  example.weights.assign(cloze.target.size(), 1.0f);
  return {std::move(example)};
}

std::vector<Example> prefix_stop(const Cloze& cloze) {
  if (!cloze.right.empty()) return {};
  return {scored_stop(std::move(prefix_cloze(cloze).front()), end_token)};
}

Loss prefix_optimum(const Chain& language, std::span<const Token> tokens, const Example& example) {
  std::vector<bool> hidden(tokens.size(), true);
  std::fill_n(hidden.begin(), tokens.size() - example.targets.size(), false);
  return {cost_of_hidden(language, tokens, hidden), scored_weight(example)};
}

}  // namespace ablate::objectives
