// Draws a token by the inverse of the distribution function.

#include "harness/probes/generation/token_filters/draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.h"

namespace ablate::probes {

void TokenDistribution::keep(std::span<const std::uint8_t> kept) {
  total = 0;
  for (std::size_t entry = 0; entry < masses.size(); ++entry) {
    if (!kept[entry]) {
      scores[entry] = -std::numeric_limits<double>::infinity();
      masses[entry] = 0;
    }
    total += masses[entry];
  }
}

TokenDistribution token_distribution(std::span<const float> logits, const Vocabulary& vocabulary,
                                     bool may_end, double temperature) {
  TokenDistribution distribution;
  std::vector<double>& scores = distribution.scores;
  scores.reserve(static_cast<std::size_t>(vocabulary.ordinary) + 1);
  for (Token token = vocabulary.first_ordinary(); token < vocabulary.end_ordinary(); ++token)
    scores.push_back(static_cast<double>(logits[static_cast<std::size_t>(token)]) / temperature);
  if (may_end) scores.push_back(static_cast<double>(logits[end_token]) / temperature);
  const double maximum = *std::max_element(scores.begin(), scores.end());
  distribution.masses.reserve(scores.size());
  for (double& score : scores) {
    score -= maximum;
    distribution.masses.push_back(std::exp(score));
    distribution.total += distribution.masses.back();
  }
  if (!std::isfinite(maximum) || !std::isfinite(distribution.total))
    fail("generation: the model's logits are not finite; it has diverged");
  return distribution;
}

Token token_of(std::size_t entry, const Vocabulary& vocabulary) {
  const bool ended = entry == static_cast<std::size_t>(vocabulary.ordinary);
  return ended ? static_cast<Token>(end_token)
               : vocabulary.first_ordinary() + static_cast<Token>(entry);
}

std::size_t drawn_entry(std::span<const double> masses, double total, double uniform) {
  std::size_t drawn = 0, last = 0;  // last: of probability above 0
  double passed = 0;
  for (drawn = 0; drawn < masses.size(); ++drawn) {
    if (masses[drawn] > 0) last = drawn;
    passed += masses[drawn];
    if (passed > uniform * total) break;
  }
  return std::min(drawn, last);  // rounding may leave the sum just short of the total
}

Draw draw_from(const TokenDistribution& distribution, const Vocabulary& vocabulary,
               double uniform) {
  const std::size_t drawn = drawn_entry(distribution.masses, distribution.total, uniform);
  return {token_of(drawn, vocabulary), distribution.scores[drawn] - std::log(distribution.total)};
}

Draw draw_token(std::span<const float> logits, const Vocabulary& vocabulary, bool may_end,
                double temperature, double uniform) {
  return draw_from(token_distribution(logits, vocabulary, may_end, temperature), vocabulary,
                   uniform);
}

}  // namespace ablate::probes
