// The blocks of a text that is predicted block by block, and who sees whom among them.
//
// Source: Arriola et al. 2025, "Block Diffusion: Interpolating Between Autoregressive and Diffusion
// Language Models", arXiv:2503.09573, section 3.3.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/chain.h"
#include "harness/contract/example.h"

namespace ablate::objectives {

/// The positions [first, end) of a text, in one document.
struct TextBlock {
  std::size_t document = 0;  // position of its document's first token
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The blocks of each document, counted from its first token; the last one may be shorter.
std::vector<TextBlock> blocks_of(std::span<const Token> tokens, std::size_t size);

/// The text with some of its tokens hidden, in place, document by document: first the clean blocks but
/// for the last one, which sees its own block and those before it; then all blocks as `shown` has them,
/// each of which sees itself and the clean blocks before it. Targets are those of the shown places, with
/// weight 0. Every place has the position of its token in its document.
Example block_by_block(std::span<const Token> tokens, std::span<const Token> shown,
                       std::size_t size);

/// The index among the places of block_by_block() of each token's shown place, by position of the text.
std::vector<std::size_t> shown_places(std::span<const Token> tokens, std::size_t size);

/// The last block of a document as it is shown, after the clean blocks before it. Targets are the tokens,
/// with weight 0. Requires: no document ends before the last token.
Example last_block(std::span<const Token> document, std::span<const Token> shown_block,
                   std::size_t size);

}  // namespace ablate::objectives
