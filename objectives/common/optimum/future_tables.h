// What the exact predictor knows of the tokens ahead of a state, order aside.
//
// Each table is linear in the distribution of the state of the next token, so that it is made once for a
// window and read for every place.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/chain.h"

namespace ablate::objectives {

/// For each composite state of the next token, an amount of each token, and one of all.
struct FutureTable {
  std::size_t tokens = 0;        // the ordinary tokens and, last, the end token
  std::vector<double> by_token;  // [composite state, token]
  std::vector<double> all;       // [composite state]

  /// The amount of each token as a fraction of `all`, [token], given the distribution of states, which
  /// need not sum to 1.
  std::vector<double> given(std::span<const double> states) const;
};

/// The expected weight of each token, where the token j places after the next one has `weights[j]` if its
/// document reaches it, and of all of them: sum_j weights[j] T^j E.
FutureTable weighted_tokens(const Chain& language, std::span<const double> weights);

/// P(a token occurs among the `horizon` tokens after the next one), and P(the document goes on after
/// that): by first passages, sum_j T (D T)^(j-1) e with D = 1 - e.
FutureTable present_tokens(const Chain& language, std::size_t horizon);

/// The index of a token in a FutureTable.
std::size_t future_index(const Chain& language, Token token);

/// The distribution of the state of each token of a segment given the tokens before it, [time, composite
/// state]; see predicted().
std::vector<double> states_before(const Chain& language, std::span<const Token> tokens,
                                  const Segment& segment);

}  // namespace ablate::objectives
