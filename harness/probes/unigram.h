// The distribution of tokens without context, for the floors of losses.

#pragma once

#include <span>
#include <vector>

#include "harness/probes/probe.h"

namespace ablate::probes {

/// The unigram distribution, [ordinary + 1], the end token last: the language's, or that of the
/// training text with 1 added to each count, so that unseen tokens have a finite cost.
std::vector<double> unigram_of(const Subject& subject);

/// The cost of ordinary tokens without context, in nats. Tokens that the training text lacks have a
/// cost, too.
double context_free_cost(std::span<const double> unigram, std::span<const Token> tokens);

}  // namespace ablate::probes
