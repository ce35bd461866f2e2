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

ShownPairs pair_prompt(const PairPrompt& format, std::span<const TokenPair* const> pairs,
                       std::span<const Token> input, std::size_t room) {
  ShownPairs made{.prompt = {begin_token}};
  std::size_t taken = 1 + input.size() + format.before.size();
  for (const TokenPair* pair : pairs) {
    const std::vector<Token>& output = pair->outputs.front();
    const std::size_t own =
        pair->input.size() + format.before.size() + output.size() + format.after.size();
    if (taken + own > room) continue;
    taken += own;
    ++made.shown;
    extend(pair->input, made.prompt);
    extend(format.before, made.prompt);
    extend(output, made.prompt);
    extend(format.after, made.prompt);
  }
  extend(input, made.prompt);
  extend(format.before, made.prompt);
  if (taken > room)
    made.prompt.erase(made.prompt.begin() + 1,
                      made.prompt.begin() + 1 + static_cast<std::ptrdiff_t>(taken - room));
  return made;
}

}  // namespace ablate::probes
