// Prompts of demonstrated pairs, for models that are asked without fine-tuning. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/params.h"
#include "harness/probes/seq2seq/pair_tasks.h"

namespace ablate::probes {

/// How a pair is written: its input, `before`, its output, `after`.
struct PairPrompt {
  std::vector<Token> before, after;  // ordinary ids; both empty on the built-in language
};

/// What prepare_pairs() stores, {"before", "after"}, as a form of prompts.
PairPrompt pair_prompt_of(const Json& stored);

/// A prompt, from a begin token on, and the demonstrated pairs that it holds.
struct ShownPairs {
  std::vector<Token> prompt;
  std::size_t shown = 0;
};

/// What a model reads before the output of `input`: as many of the demonstrated pairs as fit beside it
/// into `room` tokens, in their order. Where it does not fit alone, its first tokens are cut.
ShownPairs pair_prompt(const PairPrompt& format, std::span<const TokenPair* const> pairs,
                       std::span<const Token> input, std::size_t room);

}  // namespace ablate::probes
