#include "objectives/common/orders/block_optimum.h"

#include <algorithm>

#include "objectives/common/numbers.h"

namespace ablate::objectives {
namespace {

/// The shown half of an example, by position of the text.
struct ShownText {
  std::vector<Token> inputs, targets;
  std::vector<float> weights;
};

ShownText shown_of(std::span<const Token> tokens, const Example& example, std::size_t size) {
  ShownText shown{{}, {tokens.begin(), tokens.end()}, {}};
  for (const std::size_t place : shown_places(tokens, size)) {
    shown.inputs.push_back(example.inputs[place]);
    shown.weights.push_back(example.weights[place]);
  }
  return shown;
}

/// What the tokens [first, end) of a text cost that are hidden there, weighted, given what the others show
/// and the distribution of states at the first of them.
double cost_of_block(const TokenChannel& channel, const Chain& language, const TextBlock& block,
                     std::span<const double> before, const ShownText& shown) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  const auto inputs = std::span(shown.inputs).subspan(block.first, block.end - block.first);
  const std::vector<double> u = leave_one_out_smoothing(
      language, std::ssize(inputs), evidence_through(channel, language, inputs), before);
  double cost = 0;
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    const double weight = shown.weights[block.first + t];
    if (!(weight > 0)) continue;
    const HiddenDistribution distribution = hidden_distribution(
        channel, language, u.data() + t * size, mask_token, shown.targets[block.first + t]);
    cost += weight * negative_log(distribution.and_true, distribution.shown);
  }
  return cost;
}

}  // namespace

Loss block_optimum(const TokenChannel& channel, std::size_t block_size, const Chain& language,
                   const Text& text, const Example& example) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  const std::vector<TextBlock> blocks = blocks_of(text.tokens, block_size);
  const ShownText shown = shown_of(text.tokens, example, block_size);
  Loss loss{0, example.loss_denominator.value()};
  for (const Segment& segment : segments(text.tokens)) {
    const std::size_t last = segment.first + segment.count;
    const std::vector<double> clean =
        predicted(language, static_cast<std::int64_t>(segment.count),
                  emission_likelihood(language, text.tokens.subspan(segment.first, segment.count)),
                  segment.starts_document);
    for (const TextBlock& block : blocks) {
      // A begin token is the first of its block and of no segment.
      const TextBlock own = {block.document, std::max(block.first, segment.first),
                             std::min(block.end, last)};
      if (own.first < own.end)
        loss.total += cost_of_block(
            channel, language, own,
            std::span(clean).subspan((own.first - segment.first) * size, size), shown);
    }
  }
  return loss;
}

}  // namespace ablate::objectives
