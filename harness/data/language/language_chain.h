// From the dials of the built-in language to its chain.

#pragma once

#include <cstdint>
#include <vector>

#include "harness/base/rng.h"
#include "harness/contract/chain.h"
#include "harness/data/language/language_dials.h"

namespace ablate::data {

/// The language that the dials describe.
Chain make_chain(const Dials& dials);

/// A matrix of positive weights, [states, states], with rows and columns scaled in turn until both
/// sum to 1: from a uniform start every state then stays equally likely for ever. Source: Sinkhorn
/// 1964, "A Relationship Between Arbitrary Positive Matrices and Doubly Stochastic Matrices".
std::vector<double> doubly_stochastic(std::vector<double> weights, std::size_t states);

}  // namespace ablate::data
