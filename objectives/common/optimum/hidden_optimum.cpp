#include "objectives/common/optimum/hidden_optimum.h"

#include <cmath>

namespace ablate::objectives {

double cost_of_hidden(const Chain& language, std::span<const Token> tokens,
                      const std::vector<bool>& hidden) {
  const auto states = static_cast<std::size_t>(language.states);
  const auto size = static_cast<std::size_t>(language.composite_states());
  double total = 0;
  for (const Segment& segment : segments(tokens)) {
    const auto time = static_cast<std::int64_t>(segment.count);
    const Evidence all =
        emission_likelihood(language, tokens.subspan(segment.first, segment.count));
    Evidence read = all;
    for (std::size_t t = 0; t < segment.count; ++t)
      if (hidden[segment.first + t] && tokens[segment.first + t] != end_token)
        for (std::size_t z = 0; z < size; ++z) read[t * size + z] = z % states + 1 < states;
    total += log_probability(language, time, read, segment.starts_document) -
             log_probability(language, time, all, segment.starts_document);
  }
  return total;
}

Loss cost_without_context(std::span<const double> unigram, const Example& example) {
  Loss loss;
  for (std::size_t i = 0; i < example.targets.size(); ++i) {
    const double weight = example.weights[i];
    const Token target = example.targets[i];
    const auto index =
        target == end_token ? unigram.size() - 1 : static_cast<std::size_t>(target - special_count);
    if (!(weight > 0) || index >= unigram.size()) continue;
    loss += {-weight * std::log(unigram[index]), weight};
  }
  return loss;
}

double scored_weight(const Example& example) {
  double total = 0;
  for (const float weight : example.weights)
    if (weight > 0) total += static_cast<double>(weight);
  return total;
}

}  // namespace ablate::objectives
