// What stands ahead of each state of a text that is read from left to right.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// What a state has ahead of it.
struct Future {
  std::size_t at = 0;            // index in the text of the next token
  std::span<const Token> ahead;  // the tokens of its document from there on
};

/// The states of a text that have a next token, each with at most `window` tokens. The first token of a
/// document has no such state: what stands before it is of another document, or nothing.
std::vector<Future> futures_of(std::span<const Token> tokens, std::size_t window);

/// A token's part of what a place must predict.
struct Share {
  Token token = 0;
  double weight = 0;
};

/// Adds `count` labels of head 1 at place `at`, as HeadTraits::labels asks: one for each share, and the
/// last share divided equally among those that are left. Requires: 1 to `count` shares.
void add_shares(std::span<const Share> shares, std::size_t at, std::size_t count, Example& example);

}  // namespace ablate::objectives
