#include "harness/probes/seq2seq/pair_format.h"

#include <algorithm>

#include "harness/base/shuffle.h"

namespace ablate::probes {
namespace {

/// What the model reads before the output.
std::vector<Token> read_before(std::span<const Token> input) {
  std::vector<Token> tokens = {begin_token};
  tokens.insert(tokens.end(), input.begin(), input.end());
  tokens.push_back(separator_token);
  return tokens;
}

Example continued(std::span<const Token> input, std::span<const Token> output) {
  Example example{.inputs = read_before(input), .targets = {output.begin(), output.end()}};
  example.weights.assign(output.size(), 1.0f);
  return example;
}

/// An example in place that shows all of the output.
Example in_place(std::span<const Token> input, std::span<const Token> output) {
  Example example{.inputs = read_before(input)};
  example.inputs.insert(example.inputs.end(), output.begin(), output.end());
  example.inputs.push_back(end_token);
  example.targets = example.inputs;
  example.weights.assign(example.targets.size(), 0.0f);
  return example;
}

/// Hides token number `i` of the output of an example in place.
void hide(Example& example, std::span<const Token> input, std::size_t i, bool scored) {
  const std::size_t at = input.size() + 2 + i;
  example.inputs[at] = mask_token;
  example.weights[at] = scored ? 1.0f : 0.0f;
}

/// An example in place that hides the output from `first` on and scores its first hidden token.
Example hidden_from(std::span<const Token> input, std::span<const Token> output,
                    std::size_t first) {
  Example example = in_place(input, output);
  for (std::size_t i = first; i < output.size(); ++i) hide(example, input, i, i == first);
  return example;
}

}  // namespace

Needs pair_needs(Needs needs) {
  needs.heads.resize(1);
  return needs;
}

Example learned_example(const TokenPair& pair, const Needs& needs, Rng rng) {
  const std::vector<Token>& output = pair.outputs.front();
  if (!tells_length(needs)) {
    std::vector<Token> ended = output;
    ended.push_back(end_token);
    return continued(pair.input, ended);
  }
  Example example = in_place(pair.input, output);
  std::vector<std::size_t> order = random_order(output.size(), rng.fork("which"));
  order.resize(1 + static_cast<std::size_t>(rng.below(std::ssize(output))));
  for (const std::size_t i : order) hide(example, pair.input, i, true);
  return example;
}

std::vector<Example> scored_examples(const TokenPair& pair, const Needs& needs) {
  const std::vector<Token>& output = pair.outputs.front();
  if (!tells_length(needs)) return {continued(pair.input, output)};
  std::vector<Example> examples;
  for (std::size_t i = 0; i < output.size(); ++i)
    examples.push_back(hidden_from(pair.input, output, i));
  return examples;
}

Example next_example(std::span<const Token> input, std::span<const Token> written,
                     std::size_t tokens, const Needs& needs) {
  std::vector<Token> output(written.begin(), written.end());
  output.resize(tells_length(needs) ? tokens : written.size() + 1, Token{special_count});
  if (tells_length(needs)) return hidden_from(input, output, written.size());
  Example example = continued(input, output);
  std::fill(example.weights.begin(), example.weights.end() - 1, 0.0f);
  return example;
}

}  // namespace ablate::probes
