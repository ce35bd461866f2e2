// Continues texts token by token.

#pragma once

#include "harness/probes/generation/samplers/common/drawing.h"

namespace ablate::probes {

/// Chooses the next token from the model's logits, [vocabulary]; `uniform`: a random number in
/// [0, 1).
using ChooseToken = std::function<Draw(std::span<const float> logits, double uniform)>;

/// Continues each text until the end token or the task's length. Every token is chosen given all
/// tokens before it; a sample's log-probability is the sum of what `choose` says. Requires: texts of
/// the same length that begin with the begin token.
std::vector<Sample> continue_texts(const TokenSource& source, const DrawTask& task,
                                   const ChooseToken& choose);

/// The same with tokens drawn from the source's distribution: ancestral sampling.
std::vector<Sample> continue_by_draws(const TokenSource& source, const DrawTask& task);

}  // namespace ablate::probes
