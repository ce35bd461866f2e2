// The questions of the cloze probe, and the exact answers of the built-in language. Without LibTorch.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/contract/objective.h"

namespace ablate::probes {

/// Tokens that the format of an objective adds to a text at most, for which there must be room.
inline constexpr std::int64_t kRoomForMarks = 4;

/// The least to which a document may be cut: a begin token and two tokens for each third.
inline constexpr std::int64_t kFewestTokens = 7;

/// What is asked of a document.
enum class Question {
  continuation,      // its second half, given the first
  infill,            // its middle third, given both sides
  infill_from_left,  // its middle third, given what is left of it
};

/// The question about a document, from its begin token on. Where it does not fit into `longest`
/// tokens, it is cut. Requires: cloze_fits().
Cloze cloze_of(Question question, std::span<const Token> document, std::size_t longest);

/// Whether a document has tokens for every part of every question, and none of them is special.
bool cloze_fits(std::span<const Token> document, std::size_t longest);

/// -log P(target | what the format shows) in the language, in nats. For a format that shows the
/// right side, or is told the length, the number of tokens is known, too.
double exact_cost(const Chain& chain, const Cloze& cloze, ClozeFormat format);

/// P(the first of `count` tokens after `left` | what the format shows), [ordinary]; where the end of
/// the document is possible, it sums to less than 1. Empty where the language has no such text. As
/// for exact_cost(), a format that shows the right side or is told the length knows `count`. Mask
/// tokens in `right` may be any tokens.
std::vector<double> exact_first(const Chain& chain, std::span<const Token> left, std::size_t count,
                                std::span<const Token> right, ClozeFormat format);

}  // namespace ablate::probes
