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

/// What a model reads before the output of `input`, from a begin token on: as many of the
/// demonstrated pairs as fit beside it and `longest` tokens of output into `room`, in their order.
/// `shown`: is told how many do. Requires: the input fits beside its output.
std::vector<Token> pair_prompt(const PairPrompt& format, std::span<const TokenPair* const> pairs,
                               std::span<const Token> input, std::size_t longest, std::size_t room,
                               std::size_t& shown);

}  // namespace ablate::probes
