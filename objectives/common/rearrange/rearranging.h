// Fill-in-the-middle's rearranging of a text, without copying it.

#pragma once

#include <span>
#include <vector>

#include "objectives/common/rearrange/middle_distribution.h"

namespace ablate::objectives {

/// Tokens that stand one after the other.
using Passages = std::vector<std::span<const Token>>;

/// A document or a part of one, its middle moved or not: a begin and an end token stay where they
/// are. The passages are parts of what was given.
struct Arrangement {
  Passages passages;
  std::vector<Fact> facts;
};
Arrangement arranged(const MiddleDistribution& distribution, std::span<const Token> part, Rng rng);

/// A mark or another special token as a passage, good forever.
std::span<const Token> mark(Token which);

std::size_t size_of(const Passages& passages);

/// The tokens [from, to) of the passages, all of them scored but a begin token.
Example example_of(const Passages& passages, std::size_t from, std::size_t to);

}  // namespace ablate::objectives
