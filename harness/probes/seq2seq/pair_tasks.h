// Pairs of the built-in language: tasks whose exact answer is known. Without LibTorch.

#pragma once

#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/data/language/language.h"

namespace ablate::probes {

/// An input with the outputs that are right, as ordinary ids.
struct TokenPair {
  std::vector<Token> input;
  std::vector<std::vector<Token>> outputs;  // at least one; the first is learned and scored
};

/// What the output is of an input, which is the start of a document. No task changes the topic: it is
/// in the order of states, of which a text of another topic has its own, so that no such text would be
/// the right one.
enum class PairTask {
  copy,        // its tokens
  reverse,     // its tokens, the last one first
  paraphrase,  // another text that the states of the input emit
};

/// The names of the tasks, in their order.
inline constexpr std::string_view kPairTasks[] = {"copy", "reverse", "paraphrase"};

/// A pair whose input has `tokens` tokens at most, and half as many at least; every length is equally
/// likely. The input is the same for all tasks. Throws std::invalid_argument where documents are
/// almost never that long.
TokenPair drawn_pair(const data::Language& language, PairTask task, std::int64_t tokens, Rng rng);

/// -log P(first output | input, number of tokens) in nats: what the exact predictor pays. 0 where the
/// input determines it. Of a paraphrase it is -log of P(input, output) / P(input), where a state emits
/// a token of both independently.
double pair_optimum(const Chain& chain, PairTask task, const TokenPair& pair);

}  // namespace ablate::probes
