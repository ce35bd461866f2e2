#include "objectives/laws/prefix.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "objectives/laws/hidden_optimum.h"

namespace ablate {
namespace {

/// Halves go to the even neighbour.
std::int64_t rounded(double value) { return static_cast<std::int64_t>(std::nearbyint(value)); }

/// The reference multiplies floats.
std::int64_t shortest(double target_fraction, std::int64_t most) {
  const float share = static_cast<float>(1 - 2 * target_fraction) * static_cast<float>(most);
  return std::clamp<std::int64_t>(rounded(share), 1, most);
}

}  // namespace

std::int64_t prefix_length(const PrefixLaw& law, std::int64_t tokens, Rng rng) {
  const std::int64_t most = tokens - 1;
  if (most < 1) return tokens;
  const double draw = rng.uniform();
  const auto among = [&](std::int64_t least, double fraction) {
    const auto choices = static_cast<double>(most - least + 1);
    return std::min(most, least + static_cast<std::int64_t>(fraction * choices));
  };
  switch (law.kind) {
    case PrefixLaw::Kind::fixed:
      return std::clamp<std::int64_t>(rounded(law.fraction * static_cast<double>(tokens)), 1, most);
    case PrefixLaw::Kind::uniform:
      return among(shortest(law.fraction, most), draw);
    case PrefixLaw::Kind::beta:
      break;
  }
  return among(1, boost::math::ibeta_inv(law.a, law.b, draw));
}

double target_fraction(const PrefixLaw& law) {
  if (law.kind == PrefixLaw::Kind::beta) return law.b / (law.a + law.b);
  return law.kind == PrefixLaw::Kind::fixed ? 1 - law.fraction : law.fraction;
}

Example split_at(std::span<const Token> tokens, std::int64_t prefix) {
  const auto cut = tokens.begin() + prefix;
  Example example{.inputs = {tokens.begin(), cut}, .targets = {cut, tokens.end()}};
  for (const Token target : example.targets)
    example.weights.push_back(target == begin_token ? 0.0f : 1.0f);
  return example;
}

Loss prefix_optimum(const Chain& language, std::span<const Token> tokens, const Example& example) {
  std::vector<bool> hidden(tokens.size(), true);
  std::fill_n(hidden.begin(), tokens.size() - example.targets.size(), false);
  return {cost_of_hidden(language, tokens, hidden), scored_weight(example)};
}

}  // namespace ablate
