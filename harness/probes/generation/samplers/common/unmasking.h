// Fills the masks of texts in rounds.

#pragma once

#include "harness/probes/generation/samplers/common/drawing.h"

namespace ablate::probes {

/// Which masks of a text are filled first.
enum class UnmaskingOrder {
  random,         // uniformly random, keyed by text
  left_to_right,  // the first
  confidence,     // those whose most probable token is the most probable, given what is there
};

/// The positions of a text's mask tokens.
std::vector<std::size_t> masks_of(std::span<const Token> tokens);

/// Draws the masked tokens of each text in the task's rounds. The tokens of one round are drawn
/// independently, given the tokens already there; the masks of a text, or of each of its blocks, are
/// spread evenly over the rounds. With one token per round and exact conditional distributions the
/// samples are exact in every order, since no order depends on a token before it is drawn. A token's
/// random number is keyed by text and position, so that the orders share it.
std::vector<Sample> fill_masks(const TokenSource& source, const DrawTask& task,
                               UnmaskingOrder order);

}  // namespace ablate::probes
