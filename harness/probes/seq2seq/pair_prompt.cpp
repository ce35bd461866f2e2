#include "harness/probes/seq2seq/pair_prompt.h"

namespace ablate::probes {
namespace {

void extend(std::span<const Token> tokens, std::vector<Token>& to) {
  to.insert(to.end(), tokens.begin(), tokens.end());
}

}  // namespace

PairPrompt pair_prompt_of(const Json& stored) {
  return {stored.at("before").get<std::vector<Token>>(),
          stored.at("after").get<std::vector<Token>>()};
}

std::vector<Token> pair_prompt(const PairPrompt& format, std::span<const TokenPair* const> pairs,
                               std::span<const Token> input, std::size_t longest, std::size_t room,
                               std::size_t& shown) {
  std::vector<Token> prompt = {begin_token};
  std::size_t taken = 1 + input.size() + format.before.size() + longest;
  shown = 0;
  for (const TokenPair* pair : pairs) {
    const std::vector<Token>& output = pair->outputs.front();
    const std::size_t own =
        pair->input.size() + format.before.size() + output.size() + format.after.size();
    if (taken + own > room) continue;
    taken += own;
    ++shown;
    extend(pair->input, prompt);
    extend(format.before, prompt);
    extend(output, prompt);
    extend(format.after, prompt);
  }
  extend(input, prompt);
  extend(format.before, prompt);
  return prompt;
}

}  // namespace ablate::probes
