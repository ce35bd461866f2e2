// Rearranges a text for fill-in-the-middle without copying it.

#pragma once

#include <span>
#include <vector>

#include "objectives/common/rearrange/middle_distribution.h"

namespace ablate::objectives {

/// A sequence of tokens as consecutive spans of other sequences.
using Passages = std::vector<std::span<const Token>>;

/// A document, or a part of one, after fill-in-the-middle.
struct Arrangement {
  Passages passages;        // views of the given tokens and of static marks
  std::vector<Fact> facts;  // fim: whether it was transformed; spm: whether the suffix is first
};

/// Transforms `part` with probability distribution.rate. A begin token and an end token stay in
/// place. Requires: `part` outlives the result.
Arrangement arranged(const MiddleDistribution& distribution, std::span<const Token> part, Rng rng);

/// A mark or another special token as a passage with static storage.
std::span<const Token> mark(Token which);

/// The number of tokens in all passages.
std::size_t size_of(const Passages& passages);

/// An example without inputs whose targets are tokens [from, to) of the passages. All are scored
/// except a begin token.
Example example_of(const Passages& passages, std::size_t from, std::size_t to);

}  // namespace ablate::objectives
