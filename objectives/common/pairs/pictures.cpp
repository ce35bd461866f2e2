// Which text belongs to a picture: given topic and name, neither says more of the other.

#include "objectives/common/pairs/pictures.h"

namespace ablate::objectives {
namespace {

using PerBlock = std::vector<double>;

PerBlock block_probabilities(const Chain& language) {
  PerBlock probabilities;
  for (const Chain::Block& block : language.blocks) probabilities.push_back(block.probability);
  return probabilities;
}

/// P(text | block), where texts start as they do behind the last patch.
PerBlock text_likelihood(const Chain& language, std::span<const Token> text) {
  const auto states = static_cast<std::size_t>(language.states);
  const std::vector<double> by_state = likelihood_by_state(
      language, static_cast<std::int64_t>(text.size()), emission_likelihood(language, text));
  PerBlock likelihood(language.blocks.size(), 0.0);
  for (std::size_t block = 0; block < likelihood.size(); ++block) {
    const double* const start = language.transition.data() + (block * states + states - 2) * states;
    for (std::size_t state = 0; state < states; ++state)
      likelihood[block] += start[state] * by_state[block * states + state];
  }
  return likelihood;
}

/// Divides by what it is on average over the blocks: P(seen | block) / P(seen).
void divide_by_mean(PerBlock& likelihood, const PerBlock& probabilities) {
  double mean = 0;
  for (std::size_t block = 0; block < likelihood.size(); ++block)
    mean += probabilities[block] * likelihood[block];
  for (double& value : likelihood) value /= mean;
}

}  // namespace

std::vector<double> picture_ratios(const Chain& language,
                                   std::span<const std::span<const Token>> pictures,
                                   std::span<const std::span<const Token>> texts) {
  const PerBlock probabilities = block_probabilities(language);
  std::vector<PerBlock> of_texts;
  of_texts.reserve(texts.size());
  for (const std::span<const Token> text : texts) {
    of_texts.push_back(text_likelihood(language, text));
    divide_by_mean(of_texts.back(), probabilities);
  }
  std::vector<double> ratios;
  ratios.reserve(pictures.size() * texts.size());
  for (const std::span<const Token> picture : pictures) {
    PerBlock of_picture = picture_likelihood(language, picture);
    divide_by_mean(of_picture, probabilities);
    for (const PerBlock& of_text : of_texts) {
      double ratio = 0;
      for (std::size_t block = 0; block < probabilities.size(); ++block)
        ratio += probabilities[block] * of_picture[block] * of_text[block];
      ratios.push_back(ratio);
    }
  }
  return ratios;
}

}  // namespace ablate::objectives
