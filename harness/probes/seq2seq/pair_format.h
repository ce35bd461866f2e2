// The form in which a model is fine-tuned on a pair: one for each kind of backbone. Without LibTorch.
//
//   continuation   inputs   <begin> input <separator>      read by the encoder where there is one,
//                  targets  output <end>                   in both directions where the arm does so
//   in place       inputs   <begin> input <separator> <mask> ... <mask> <end>
//                  targets  output, at the masks
//
// A model that predicts in place writes no output of a length of its own: it is told the number of
// tokens. It learns to fill any of them given the others, and fills them from the left. Source of the
// training: Ghazvininejad et al. 2019, arXiv:1904.09324, section 3.

#pragma once

#include <span>
#include <vector>

#include "harness/contract/objective.h"
#include "harness/probes/seq2seq/pair_tasks.h"

namespace ablate::probes {

/// The needs of the form: those of the arm's objective, with the head for tokens alone.
Needs pair_needs(Needs needs);

/// Whether the form tells the model the number of tokens of an output.
inline bool tells_length(const Needs& needs) { return needs.alignment == Alignment::in_place; }

/// The example that a pair is learned from: the output and its end are scored. In place a random
/// number of the output's tokens, from 1 up, is hidden and scored.
Example learned_example(const TokenPair& pair, const Needs& needs, Rng rng);

/// The examples whose losses add up to -log P(first output | input) in nats, without the cost of
/// ending after it. In place there is one for each token, given those before it.
std::vector<Example> scored_examples(const TokenPair& pair, const Needs& needs);

/// The example whose only scored target is the token that follows `written`, of an output of
/// `tokens` tokens where the form tells them. Its target stands for any token.
Example next_example(std::span<const Token> input, std::span<const Token> written,
                     std::size_t tokens, const Needs& needs);

}  // namespace ablate::probes
