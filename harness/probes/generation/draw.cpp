// Draws a token by the inverse of the distribution function.

#include "harness/probes/generation/draw.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/base/error.h"

namespace ablate::probes {

Draw draw_token(std::span<const float> logits, const Vocabulary& vocabulary, bool may_end,
                double temperature, double uniform) {
  std::vector<double> scores;
  for (Token token = vocabulary.first_ordinary(); token < vocabulary.end_ordinary(); ++token)
    scores.push_back(static_cast<double>(logits[static_cast<std::size_t>(token)]) / temperature);
  if (may_end) scores.push_back(static_cast<double>(logits[end_token]) / temperature);
  const double maximum = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (const double score : scores) total += std::exp(score - maximum);
  if (!std::isfinite(maximum) || !std::isfinite(total))
    fail("generation: the model's logits are not finite; it has diverged");

  std::size_t drawn = 0, last = 0;  // last: of probability above 0
  double passed = 0;
  for (drawn = 0; drawn < scores.size(); ++drawn) {
    const double mass = std::exp(scores[drawn] - maximum);
    if (mass > 0) last = drawn;
    passed += mass;
    if (passed > uniform * total) break;
  }
  drawn = std::min(drawn, last);  // rounding may leave the sum just short of the total
  const bool ended = drawn == static_cast<std::size_t>(vocabulary.ordinary);
  return {ended ? static_cast<Token>(end_token)
                : vocabulary.first_ordinary() + static_cast<Token>(drawn),
          scores[drawn] - maximum - std::log(total)};
}

}  // namespace ablate::probes
