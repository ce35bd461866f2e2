// Builds the chain of the built-in language from its parameters.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/data/language/language_dials.h"

namespace ablate::data {

/// The chain of the language that the dials describe.
Chain make_chain(const Dials& dials);

/// Scales the rows and columns of a matrix of positive weights, [states, states], alternately until
/// both sum to 1. With such transitions and a uniform start, every state stays equally likely.
/// Source: Sinkhorn 1964, "A Relationship Between Arbitrary Positive Matrices and Doubly Stochastic
/// Matrices".
std::vector<double> doubly_stochastic(std::vector<double> weights, std::size_t states);

}  // namespace ablate::data
